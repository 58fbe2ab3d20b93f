/** What this build calls itself; a test keeps it equal to package.json. */
export const HARNESS_VERSION = '0.1.0';

/** The newest layout of the state directory this build reads and writes. */
export const SCHEMA_VERSION = 3;
