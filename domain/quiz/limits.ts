/** Quiz limits (specification, quiz block, rule 8). */
export const ANSWERS_THAT_REGISTER = 60;
export const QUESTIONS_PER_QUIZ = 100;
export const OPTIONS_PER_QUESTION = 200;
/** In characters. A longer key is no identity; its answer is kept and flagged. */
export const KEY_LENGTH = 255;
