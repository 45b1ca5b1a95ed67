// Questions over HTTP. The role of a token is the audience that it answers for; the journal has its name.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { audienceOfRole, mayAnswer, roleOfAudience } from '../../api/role.ts';
import { eachPage } from '../../journal/each-run.ts';
import type { RunFilter } from '../../ports/run-store.ts';
import { outermost } from '../../techne/seen-run.ts';
import type { QuestionJson, RunJson } from '../describe-run.ts';
import { describeRun, kindOf, openQuestions, waitForRun } from '../describe-run.ts';
import type { Identity } from '../guard.ts';
import type { ApiService, Handlers } from '../service.ts';
import { driveOn, useRuns } from '../service.ts';

const waiting: RunFilter = { statuses: ['paused', 'needs_decision'] };
const usualLimit = 50;
/** Pages of the store that one page looks at. */
const [mostPages, pageSize] = [20, 100];

interface Given {
  readonly run: string;
  readonly question: string;
  readonly nonce: string;
  readonly value: Json;
  readonly isApproval: boolean;
  readonly wait: number;
  readonly identity: Identity;
  readonly left: AbortSignal;
}

export function questionHandlers(
  service: ApiService,
): Handlers<'listQuestions' | 'answerQuestion' | 'approveQuestion'> {
  return {
    listQuestions: ({ query, role }) =>
      useRuns(service, async ({ runner, store }) => {
        const { audience, limit = usualLimit, cursor = null } = query;
        const questions: QuestionJson[] = [];
        const undecided: RunJson['undecided'][number][] = [];
        let pages = 0;
        for await (const page of eachPage(store, { after: cursor, limit: pageSize, only: waiting })) {
          let last = cursor;
          for (const summary of page.runs) {
            if (questions.length + undecided.length >= limit) return { questions, undecided, cursor: last };
            last = summary.run;
            // The questions of nested runs are shown with the outermost.
            if (summary.parent !== null) continue;
            const view = await runner.inspect(summary.run);
            if (view.endedAt !== null) continue;
            questions.push(
              ...openQuestions(view, role).filter(
                (one) => audience === undefined || one.audience === audience,
              ),
            );
            if (audience === undefined || audience === 'operator')
              undecided.push(
                ...view.undecided.map(({ run, key, kind, request }) => ({ run, key, kind, request })),
              );
          }
          pages += 1;
          if (questions.length + undecided.length >= limit || pages === mostPages)
            return { questions, undecided, cursor: page.cursor };
        }
        return { questions, undecided, cursor: null };
      }),
    answerQuestion: ({ params, body, query, identity, left }) =>
      answer(service, {
        ...params,
        nonce: body.nonce,
        value: body.value,
        isApproval: false,
        wait: query.wait ?? 0,
        identity,
        left,
      }),
    approveQuestion: ({ params, body, query, identity, left }) =>
      answer(service, {
        ...params,
        nonce: body.nonce,
        value: body.approval,
        isApproval: true,
        wait: query.wait ?? 0,
        identity,
        left,
      }),
  };
}

async function answer(service: ApiService, given: Given): Promise<RunJson> {
  const { run, question: id, nonce, value, isApproval, wait, identity, left } = given;
  const { role, name } = identity;
  service.dispatcher.mustHaveRoom();
  const told = await useRuns(service, async ({ runner }) => {
    const { questions } = await runner.inspect(run);
    const asked = questions.find((one) => one.id === id);
    if (asked === undefined)
      throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no question ${id}`, {
        hint: 'GET /v1/questions shows what waits',
      });
    const from = audienceOfRole[role];
    if (from === null || !mayAnswer(role, asked.audience))
      throw new TechneError(
        'ROLE_REFUSED',
        `question ${id} is for the ${asked.audience}, and the token "${name}" is a ${role}`,
        { hint: `a token with the role "${roleOfAudience[asked.audience]}" answers it` },
      );
    if (isApproval && kindOf(asked.question) !== 'approval')
      throw new TechneError('ANSWER_REFUSED', `question ${id} asks for an answer, not for an approval`, {
        hint: 'POST …/answer',
      });
    const delivery = await runner.answer(asked.run, { question: id, nonce, value, from, name });
    return { delivery, outer: (await outermost(runner, run)).run };
  });
  if (told.delivery === 'recorded') driveOn(service, told.outer);
  await waitForRun(service, told.outer, wait, left);
  return describeRun(service, told.outer, role);
}
