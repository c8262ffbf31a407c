import { NO_QUIZ } from '../../domain/lead/quiz-plan.ts';
import type { QuizPlan } from '../../domain/lead/quiz-plan.ts';
import type { QuizFieldMapping } from '../../domain/lookup/reference.ts';
import type { Sql } from '../database.ts';
import type { QuizQuestion } from './read-intake.ts';

export async function planQuiz(
  _sql: Sql,
  _quiz: Record<string, unknown> | null,
  _known: readonly QuizQuestion[],
  _mapping: QuizFieldMapping,
): Promise<QuizPlan> {
  return NO_QUIZ;
}
