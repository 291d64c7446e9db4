import type {Refusal} from './grammar.js'

/** Refused for good: nothing was changed, and the same request would be refused again. */
const forGood = {changed: 'none', again: 'never'} as const
/** Only reading the records back shows what became of a write. */
const inDoubt = {changed: 'unknown', again: 'afterReconcile'} as const

/** Every refusal code of the service: what it changed, whether to send again, what to do. [seed] unless marked. */
export const refusals = {
  API_TOKEN: {
    status: 401,
    changed: 'none',
    again: 'afterLogin',
    about: 'The login token is missing or expired.',
    hint: 'vendorctl logs in again by itself if it knows the password; otherwise run: vendorctl auth login',
  },
  NO_API_ACCESS: {
    status: 403,
    ...forGood,
    about: 'This user has no access to the API.',
    hint: 'Ask the operator of the service to enable API access for this user.',
  },
  DATA_ACCESS: {
    status: 403,
    ...forGood,
    about: 'The request named records outside the organizations of this key. Nothing was changed.',
    hint: 'Remove those records, or use the profile whose key belongs to their organization.',
  },
  INVALID_LOGIN: {
    status: 403,
    ...forGood, // [pub]
    about: 'User name or password is wrong.',
    hint: 'Check both and run: vendorctl auth login',
  },
  ACCESS_ERROR: {
    status: 500,
    ...inDoubt,
    about: 'The service failed while looking up your access rights.',
    hint: 'Reads can be repeated. A write is in doubt; find out what became of it with: vendorctl runs reconcile',
  },
  UNKNOWN_ERROR: {
    status: 500,
    ...inDoubt,
    about: 'The service failed unexpectedly.',
    hint: 'Reads can be repeated. A write is in doubt; find out what became of it with: vendorctl runs reconcile',
  },
  GENERIC_ERROR: {
    status: 400,
    ...forGood,
    about: 'The service could not process the request.',
    hint: 'Read its message, fix the input, and send it again.',
  },
  UNEXPECTED_RESULT_COUNT: {
    status: 400,
    ...inDoubt,
    about: 'Fewer records were affected than expected; changes may have been made elsewhere.',
    hint: 'A write is in doubt; read the records back with: vendorctl runs reconcile',
  },
  MISSING_RECORD: {
    status: 404,
    ...forGood,
    about: 'One or more of the named records do not exist.',
    hint: 'Check the ids; the pointers name those that were not found.',
  },
  MISSING_REQUIRED_DATA: {
    status: 421,
    ...forGood,
    about: 'The request is well-formed but lacks data that the business rules require.',
    hint: 'Fill in the named fields and send again.',
  },
  DESERIALIZATION_ERROR: {
    status: 400,
    ...forGood,
    about: 'A field could not be converted to its type.',
    hint: 'Check the named field against: vendorctl contract show',
  },
  INVALID_DATE_RANGE: {
    status: 400,
    ...forGood,
    about: 'The start date is after the end date.',
    hint: 'Swap --start and --end, and check the clock of this machine with: vendorctl doctor',
  },
  DATE_PARSING: {
    status: 400,
    ...forGood,
    about: 'One or more dates cannot be read.',
    hint: 'Write dates as 2024-07-30 or 2024-07-30T18:07:05.',
  },
  NAME_UNIQUENESS: {
    status: 400,
    ...forGood, // [pub]
    field: 'name',
    about: 'A record with this name already exists in its account.',
    hint: 'Choose another name, or update the existing record.',
  },
  SITE_VALIDATION: {
    status: 422,
    ...forGood, // [pub]
    about: 'A site violates a rule of the service.',
    hint: 'Check the named site against: vendorctl contract show',
  },
  GLOBAL_CHARGE_KEY: {
    status: 422,
    ...forGood, // code [dec], rule [seed]
    field: 'chargeKeyId',
    about: 'The charge key does not belong to an organization and cannot be set on a site.',
    hint: 'Use a charge key of the organization, or leave chargeKeyId empty.',
  },
  ALREADY_CLEARED: {
    status: 400,
    ...forGood, // [pub]
    field: 'id',
    about: 'The alert is already cleared.',
    hint: 'Nothing to do; remove the row.',
  },
  ALERT_EXISTS: {
    status: 400,
    ...forGood, // code [dec], rule [seed]
    field: 'code',
    about: 'An open alert with this code already exists, and the code allows only one.',
    hint: 'Clear or update the existing alert instead.',
  },
  CUSTOM_DATA_EXISTS: {
    status: 400,
    ...forGood, // code [dec], rule [seed]
    field: 'key',
    about: 'This machine already has custom data under this key.',
    hint: 'Remove the row; the service has no update of custom data.',
  },
  SELECTION_VALIDATION: {
    status: 422,
    ...forGood, // code [dec]
    about: 'A selection violates a rule of the service.',
    hint: 'Check the named selection against: vendorctl contract show',
  },
  NO_SELECTIONS: {
    status: 422,
    ...forGood, // [pub]
    about: 'The template has no selections, so there is nothing to apply.',
    hint: 'Look at the selections of a template with: vendorctl templates selections',
  },
  MULTIPLE_TEMPLATES: {
    status: 422,
    ...forGood, // [pub]
    about: 'The request named more than one template.',
    hint: 'Apply one template after the other.',
  },
  UNAUTHORIZED_DATA_ACCESS: {
    status: 403,
    ...forGood, // [pub]
    about: 'This user may not read sessions of these organizations.',
    hint: 'Use the profile of a user with that right, or ask for other organizations.',
  },
} as const satisfies Record<string, Refusal>

export type RefusalCode = keyof typeof refusals

/** Refusals that any authenticated request may meet. [seed] */
const common = ['API_TOKEN', 'NO_API_ACCESS', 'ACCESS_ERROR', 'UNKNOWN_ERROR', 'GENERIC_ERROR'] as const
export const ofReads = [...common, 'DATA_ACCESS', 'DESERIALIZATION_ERROR'] as const
export const ofDates = ['INVALID_DATE_RANGE', 'DATE_PARSING'] as const
export const ofWrites = [...ofReads, 'MISSING_REQUIRED_DATA', 'MISSING_RECORD', 'UNEXPECTED_RESULT_COUNT'] as const
