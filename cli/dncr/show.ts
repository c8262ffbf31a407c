import { isFresh } from '../../domain/dncr/cache-lifetime.ts';
import { hashNumber } from '../../domain/dncr/number-hash.ts';
import { readNumber } from '../../domain/dncr/number.ts';
import { readAnswer, readChecksOf } from '../../store/dncr/read-history.ts';
import type { CachedAnswer, CheckRecord } from '../../store/dncr/read-history.ts';
import { OperatorError, tableText } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { fieldLines, timeText } from '../text.ts';

interface NumberView {
  phone: string;
  answer: (CachedAnswer & { isFresh: boolean }) | null;
  checks: CheckRecord[];
}

export async function showNumber(operator: Operator, input: string, limit: number): Promise<void> {
  const reading = readNumber(input);
  if (reading.kind === 'invalid') throw new OperatorError(reading.fault);
  const { phone } = reading.number;
  const database = await operator.database();
  const hash = hashNumber(phone, operator.config.secretsKey);
  const answer = await readAnswer(database, phone);
  const checks = await readChecksOf(database, hash, limit);
  const view: NumberView = {
    phone,
    answer: answer && { ...answer, isFresh: isFresh(answer.checkedAt, operator.now()) },
    checks,
  };
  operator.show(view, asText);
}

function asText({ answer, checks }: NumberView): string {
  return [answer ? answerText(answer) : 'Not in the cache.', '', checksText(checks)].join('\n');
}

function answerText(answer: CachedAnswer & { isFresh: boolean }): string {
  return fieldLines([
    ['status', answer.status],
    ['registry', answer.registryStatus ?? answer.dncrStatus],
    ['checked at', `${timeText(answer.checkedAt)}${answer.isFresh ? '' : ' (past its time)'}`],
    ['transaction', answer.transactionId],
  ]);
}

function checksText(checks: readonly CheckRecord[]): string {
  if (checks.length === 0) return 'No check asked about it.';
  return tableText(
    ['asked at', 'client', 'outcome', 'fresh', 'transaction', 'check'],
    checks.map((check) => [
      timeText(check.requestedAt),
      check.client,
      check.outcome,
      check.fresh ? 'yes' : 'no',
      check.transactionId ?? withoutCall(check),
      check.id,
    ]),
  );
}

function withoutCall({ outcome }: CheckRecord): string {
  return outcome === 'answered' ? 'cache' : 'none';
}
