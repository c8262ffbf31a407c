import { planQuiz, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { Quiz } from '../../domain/quiz/answer.ts';
import type { Sql } from '../db/database.ts';
import { QUIZ_QUESTIONS_SQL, type QuizQuestion } from '../leads/intake-facts.ts';

/**
 * The plan of a quiz block. Only where it would extend the catalogue is the quiz locked and its
 * catalogue read again, so that the limits hold however many submissions arrive at once.
 */
export async function planQuizUnderLock(
  sql: Sql,
  quiz: Quiz | null,
  known: readonly QuizQuestion[],
): Promise<QuizPlan> {
  const plan = planQuiz(quiz, known);
  if (plan.questions.length === 0) return plan;
  const { quizKey } = plan;
  await sql.query(LOCK_QUIZ_SQL, { quizKey });
  const row = await sql.queryOne<{ known: QuizQuestion[] }>(QUIZ_QUESTIONS_SQL, { quizKey });
  return planQuiz(quiz, row?.known ?? []);
}

const LOCK_QUIZ_SQL = `select pg_advisory_xact_lock(hashtextextended('quiz:' || :quizKey, 0))`;
