/**
 * A lease gives a number to the one check that asks the registry for it; other checks that need the number wait for that
 * check's answer. It ends when the answers are published or the check fails, else at `lease_until`.
 */

/** A number without a cached answer, and the check that asks for it: this one or an earlier one. */
export interface Lease {
  phone: string;
  checkId: string;
}

/**
 * Leases the numbers in `missing` to the check `:id`. A lease that another check holds is written again unchanged: only so does
 * the statement see the holder, also when it was committed after the statement began.
 */
export const TAKE_LEASES = `
leased as (
  insert into dncr_leases as held (phone, check_id, lease_until)
  select phone, :id, :leaseUntil::timestamptz from missing
  on conflict (phone) do update set
    check_id = case when held.lease_until <= :now then excluded.check_id else held.check_id end,
    lease_until = case when held.lease_until <= :now then excluded.lease_until else held.lease_until end
  returning phone, check_id)`;

/** Leases are locked in the order in which they are taken, so that no two checks wait for each other. */
export const RELEASE_LEASES = `
held as materialized (
  select phone from dncr_leases where check_id = :checkId order by phone for update),
released as (
  delete from dncr_leases c using held where c.phone = held.phone and c.check_id = :checkId)`;
