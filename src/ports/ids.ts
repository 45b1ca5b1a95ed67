// Unique names that cannot be guessed.

/** Makes the ids of runs and questions. */
export interface Ids {
  /** A ULID: names runs and questions, sorts by time. */
  ulid(): string;
  /** At least 128 random bits as text: an answer to a question must show it. */
  nonce(): string;
}
