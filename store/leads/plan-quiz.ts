import { planQuiz } from '../../domain/lead/quiz-plan.ts';
import type { QuizPlan } from '../../domain/lead/quiz-plan.ts';
import type { QuizField } from '../../domain/quiz/field-mapping.ts';
import type { Sql } from '../database.ts';
import { quizQuestions } from './read-intake.ts';
import type { QuizQuestion } from './read-intake.ts';

/**
 * The plan of a quiz block. Only where it would extend the catalogue is the quiz locked and its
 * catalogue read again, so that the limits hold however many submissions arrive at once.
 */
export async function planQuizUnderLock(
  sql: Sql,
  sent: Record<string, unknown> | null,
  known: readonly QuizQuestion[],
  quizFields: readonly QuizField[],
): Promise<QuizPlan> {
  const plan = planQuiz(sent, known, quizFields);
  if (plan.questions.length === 0) return plan;
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('quiz:' || $1, 0))`, [
    plan.quizKey,
  ]);
  const [row] = await sql.query<{ known: QuizQuestion[] }>(
    `select coalesce((${quizQuestions('$1')}), '[]') as known`,
    [plan.quizKey],
  );
  return planQuiz(sent, row?.known ?? [], quizFields);
}
