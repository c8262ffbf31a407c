const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Below every other UUID: where a walk in the order of ids begins. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
