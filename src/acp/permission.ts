// A call that needs an approval -> what the client shows its person, and the option that was chosen -> the decision.
//
// Everything that is approved is shown: the exact command line, its folder, input, variables and files, or the whole change of a
// file. A client that shows nothing to a person cannot approve: a cancelled or failed request is no decision.
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import type { JsonObject } from '../base/json.ts';
import type { Approval } from '../ports/command-host.ts';
import { approvals } from '../ports/command-host.ts';
import { toolKind } from './tool-kind.ts';
import { codeBlock } from './markdown.ts';

const permissionOptions: readonly (PermissionOption & { readonly optionId: Approval })[] = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
  { optionId: 'never', name: 'Never allow', kind: 'reject_always' },
];

interface AskedPermission {
  readonly sessionId: string;
  /** Of the call that waits. */
  readonly toolCallId: string;
  readonly title: string;
  readonly question: JsonObject;
  /** The question as lines for a person, with the whole of the call. */
  readonly lines: readonly string[];
}

export function permissionRequest({
  sessionId,
  toolCallId,
  title,
  question,
  lines,
}: AskedPermission): RequestPermissionRequest {
  const tool = typeof question['tool'] === 'string' ? question['tool'] : '';
  const content: ToolCallContent[] = [
    { type: 'content', content: { type: 'text', text: codeBlock(lines.join('\n').trim()) } },
  ];
  return {
    sessionId,
    toolCall: {
      toolCallId,
      title,
      kind: Array.isArray(question['argv']) ? 'execute' : toolKind(tool),
      status: 'pending',
      content,
      rawInput: question,
    },
    options: [...permissionOptions],
  };
}

/** null: no decision was made. An option that was not offered decides nothing. */
export function approvalOf({ outcome }: RequestPermissionResponse): Approval | null {
  return outcome.outcome === 'selected'
    ? (approvals.find((approval) => approval === outcome.optionId) ?? null)
    : null;
}
