// Why a run failed or was refused: the `error.code` of its result. The codes of Starlark programs (codes.ts) and the
// reasons why a skill is not runnable come besides.

export const failureCodes = {
  ASK_BUDGET: 'the run has used up its asks',
  COMMAND_BUDGET: 'the run has used up its commands',
  TOKEN_BUDGET: 'the run and what is nested in it have used up their tokens',
  COST_BUDGET: 'the run and what is nested in it have used up their cost',
  TURN_LIMIT: 'an answerer took more turns than the ask allows',
  TIMEOUT: 'the run took longer than its wall clock allows',
  CANCELLED: 'the run was cancelled',
  NONDETERMINISM: 'the program does not repeat what its journal says; the run is left as it is',
  INVALID_RESULT: 'the program returned something that is no result',
  HOST_ARGUMENTS: 'a host function was called with wrong arguments',
  ASK_FAILED: 'the answerer could not answer',
  ANSWER_INVALID: 'the answer does not fit the schema or the choices, after every retry',
  QUESTION_EXPIRED: 'nobody answered in time',
  COMMAND_FAULT: 'the host could not carry a command out',
  DECIDED_FAILED: 'a person decided that the effect counts as failed',
  EFFECT_UNSUPPORTED: 'the host cannot do this kind of effect',
  SKILL_UNKNOWN: 'no skill has this name',
  NOT_A_METASKILL: 'the skill is instructions only',
  PROGRAM_INVALID: 'the program has static errors',
  INPUT_REQUIRED: 'the input is empty and the skill needs keys',
  INPUT_INVALID: 'the input does not fit what the skill declares',
  LIMIT_INVALID: 'a limit is not a number that can be a limit',
  RUN_DEPTH: 'runs are nested too deeply',
  UNFENCED: 'the skill fences nested agents to tools, and the answerer cannot hold them to it',
  ANSWERER_UNKNOWN: 'there is no answerer of this name',
} as const;

export type FailureCode = keyof typeof failureCodes;
