/** The version is part of the base address (Versioning). */
export const BASE_PATH = '/v2';
