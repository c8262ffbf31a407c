import type { Sql } from '../db/database.ts';

/** Who the customer is: read only when an operator asks for it by name. */
export interface LeadPerson {
  contactId: string;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  companyName: string | null;
  phones: string[];
  emails: string[];
  message: string | null;
  intakeUnresolved: Record<string, unknown> | null;
}

export async function readLeadPerson(sql: Sql, leadId: string): Promise<LeadPerson | null> {
  const [person] = await sql.query<LeadPerson & Record<string, unknown>>(STATEMENT, [leadId]);
  return person ?? null;
}

const STATEMENT = `
select contact_id as "contactId", lead_first_name as "firstName",
  coalesce(lead_middle_name, lead_second_name) as "middleName", lead_last_name as "lastName",
  lead_company_name as "companyName", lead_phones as phones, lead_emails as emails,
  initial_inquiry as message, intake_unresolved as "intakeUnresolved"
from leads where id = $1`;
