// The final text of a composition, checked against its output_contract.
//
// A missing or forbidden part makes the result partial, never `ok`. An artifact that has only a name cannot be looked
// for, and is reported as not checked.
import type { Artifact, OutputContract } from '../../plan/plan.ts';

export interface FoundArtifact {
  readonly name: string;
  readonly path: string | null;
  readonly required: boolean;
  /** null: only a name is declared, so there is nothing to look for. */
  readonly exists: boolean | null;
  readonly bytes: number | null;
  readonly reason: string | null;
}

/** What the contract wants and the text or the workspace does not have. */
export function contractFaults(
  { requiredSections, forbiddenTerms }: OutputContract,
  text: string,
  artifacts: readonly FoundArtifact[],
): readonly string[] {
  const lower = text.toLowerCase();
  return [
    ...requiredSections
      .filter((section) => !lower.includes(section.toLowerCase()))
      .map((section) => `the section "${section}" is missing`),
    ...forbiddenTerms
      .filter((term) => term !== '' && lower.includes(term.toLowerCase()))
      .map((term) => `it contains "${term}", which it must not`),
    ...artifacts
      .filter(({ required, exists }) => required && exists === false)
      .map(
        ({ name, path, reason }) =>
          `the artifact "${name}"${path === null || path === name ? '' : ` (${path})`} ${reason ?? 'does not exist'}`,
      ),
  ];
}

/** The text below the answer, where the contract wants it; may be empty. */
export function contractText(
  { assumptions, unverified, artifacts }: OutputContract,
  found: readonly FoundArtifact[],
): string {
  const lines = [
    ...assumptions.map((one) => `- Assumption: ${one}`),
    ...unverified.map((one) => `- Not verified: ${one}`),
    ...artifacts.map(({ name }: Artifact, index) => {
      const { path = null, exists = null } = found[index] ?? {};
      const said = [
        ...(path === null || path === name ? [] : [path]),
        ...(exists === false ? ['missing'] : exists === null ? ['not looked for'] : []),
      ];
      return `- Artifact: ${name}${said.length === 0 ? '' : ` (${said.join(', ')})`}`;
    }),
  ];
  return lines.length === 0 ? '' : `\n\n---\n\n**Output contract**\n\n${lines.join('\n')}`;
}
