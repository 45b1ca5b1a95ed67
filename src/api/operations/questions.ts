// Questions: what runs wait for, and the answers of those who may give them.
import { closed, list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { audiences, question, questionId, run, runId, undecided, waitSeconds } from '../schemas.ts';

const tag = 'questions';
const params = { run: runId, question: questionId } as const;
const nonce = { type: 'string', minLength: 1, maxLength: 128 } as const;

export const questionOperations = {
  listQuestions: {
    method: 'GET',
    path: '/v1/questions',
    tag,
    summary: 'What runs wait for, and for whom',
    role: 'viewer',
    query: {
      audience: { enum: audiences },
      limit: { type: 'integer', minimum: 1, maximum: 200 },
      cursor: runId,
    },
    status: 200,
    answers: 'json',
    response: object({
      questions: list(question),
      undecided: {
        type: 'array',
        items: undecided,
        description: 'Calls with an unknown outcome, which an operator decides',
      },
      cursor: { type: ['string', 'null'] },
    }),
  },
  answerQuestion: {
    method: 'POST',
    path: '/v1/runs/{run}/questions/{question}/answer',
    tag,
    summary:
      'Answer a question. A runner answers for the caller, a reviewer for a person, an operator everything',
    role: 'runner',
    params,
    query: { wait: waitSeconds },
    body: closed({ nonce, value: { description: 'A text, or the fields of a form' } }),
    status: 202,
    answers: 'json',
    response: run,
  },
  approveQuestion: {
    method: 'POST',
    path: '/v1/runs/{run}/questions/{question}/approve',
    tag,
    summary: 'Approve a command or a tool call, or deny it',
    role: 'operator',
    params,
    query: { wait: waitSeconds },
    body: closed({ nonce, approval: { type: 'string', description: 'One of the choices of the question' } }),
    status: 202,
    answers: 'json',
    response: run,
  },
} as const satisfies { readonly [name: string]: Operation };
