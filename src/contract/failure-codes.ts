import type {RefusalCode} from './base/refusals.js'
import type {ExitName, exitCodes} from './exit-codes.js'
import type {gatewayAnswers} from './gateway-answers.js'
import type {inputProblems} from './input-problems.js'
import type {rowCodes} from './row-codes.js'

/** A failure of the program itself: the exit code that it usually ends in, and its meaning in one sentence. */
export type FailureRow = {readonly exit: ExitName; readonly about: string}

/** Codes of failures that are not the service's. The message and its hints name the file, the run or the request. */
export const failureCodes = {
  ANSWER_CUT: {exit: 'unavailable', about: 'The connection ended in the middle of an answer.'},
  ANSWER_ENCODING: {exit: 'unavailable', about: 'The answer is compressed in a way that cannot be read.'},
  ANSWER_NOT_HTTP: {exit: 'unavailable', about: 'The other side does not answer in HTTP.'},
  ANSWER_SENSELESS: {exit: 'unavailable', about: 'The service sent an unreadable answer.'},
  ANSWER_TOO_LARGE: {exit: 'unavailable', about: 'The answer is larger than any answer of the service can be.'},
  API_KEY: {exit: 'denied', about: 'The API key is empty or holds characters that no header can carry.'},
  APPEND: {exit: 'usage', about: 'The file of --append does not fit the rows that would be added to it.'},
  ARGUMENT: {exit: 'usage', about: 'An argument of a library call is not valid.'},
  BASE_URL: {exit: 'usage', about: 'The base URL is not an address that requests can be sent to.'},
  BEFORE_UNKNOWN: {exit: 'incomplete', about: 'The earlier values of a record are not known, so it is not undone.'},
  CHANGE_NOT_SHOWN: {
    exit: 'incomplete',
    about: 'The report of changes does not show a change of the run, so it is not undone.',
  },
  CHECK_FAILED: {exit: 'failure', about: 'A check of vendorctl doctor failed.'},
  BUDGET_UNREACHABLE: {
    exit: 'unavailable',
    about: 'The shared budget cannot be reached, and this machine has no share of it to use meanwhile.',
  },
  COMMAND_WORDS: {exit: 'usage', about: 'The text of a command cannot be split into a program and its arguments.'},
  CONNECTION_RESET: {exit: 'unavailable', about: 'The connection was closed before the answer came.'},
  CREDENTIALS_OPEN: {exit: 'unsafe', about: 'A file with credentials can be read or changed by other users.'},
  CREDENTIAL_COMMAND: {exit: 'denied', about: 'The command that supplies the credentials failed.'},
  DATABASE_ADDRESS: {exit: 'usage', about: 'The address of a database is not valid.'},
  DATABASE_BUSY: {exit: 'unavailable', about: 'The database server takes no more connections, or others hold a lock.'},
  DATABASE_DENIED: {exit: 'denied', about: 'The database server refused the login, or the user lacks a right.'},
  DATABASE_FULL: {exit: 'storage', about: 'The disk of the database server is full.'},
  DATABASE_LOST: {exit: 'unavailable', about: 'The connection to the database ended, or it does not answer.'},
  DATABASE_MISSING: {exit: 'usage', about: 'The server has no database of this name.'},
  DATABASE_PASSWORD: {exit: 'invalid', about: 'The address of a database holds a password where others can read it.'},
  DATABASE_OWNER: {
    exit: 'unsafe',
    about: 'A schema, table or function of vendorctl belongs to another role, which could run code as the user.',
  },
  DATABASE_POOLED: {exit: 'usage', about: 'A pooler in transaction mode stands before the database.'},
  DATABASE_READ_ONLY: {exit: 'storage', about: 'The database accepts no writes; it is a replica, or set so.'},
  DATABASE_REFUSED: {exit: 'invalid', about: 'The database refused a statement.'},
  DATABASE_TLS: {
    exit: 'unsafe',
    about: 'The database server did not prove who it is, or has no TLS; nothing was sent.',
  },
  DATABASE_UNREACHABLE: {exit: 'unavailable', about: 'The database server cannot be reached.'},
  DELIVERY_FAILED: {
    exit: 'unavailable',
    about: 'A complete file was not delivered by the command of --deliver; the next run delivers it first.',
  },
  DNS: {exit: 'unavailable', about: 'The name of the service cannot be resolved.'},
  DRIFT: {exit: 'incomplete', about: 'Records changed while they were read; some may be missing or listed twice.'},
  DURATION: {exit: 'usage', about: 'The text is not a duration such as 90s, 10m or 1h.'},
  EARLIER_IN_DOUBT: {exit: 'inDoubt', about: 'Rows of this write are in doubt in an earlier run.'},
  EARLIER_UNREADABLE: {exit: 'storage', about: 'The journal of an earlier run, which may hold these rows, is damaged.'},
  EMPTY: {exit: 'empty', about: 'Nothing matched, and --fail-on-empty was given.'},
  ENDED_EARLY: {exit: 'failure', about: 'The command stopped before it had finished. This is a defect of vendorctl.'},
  FAULT: {exit: 'usage', about: 'The sandbox does not accept the fault as it was given.'},
  FIELDS_NOT_SHOWN: {exit: 'ok', about: 'Records hold fields that the chosen output has no column for.'},
  FILE_BUSY: {exit: 'locked', about: 'Another program holds the file that is to be written.'},
  FILE_CHANGED: {exit: 'incomplete', about: 'An exported or imported file was changed after it was written or read.'},
  FILE_DIFFERS: {exit: 'incomplete', about: 'An exported file differs from what the service returns now.'},
  FILE_EXISTS: {exit: 'usage', about: 'The file to write already exists; --overwrite replaces it.'},
  FILE_TAKEN: {exit: 'locked', about: 'Another run replaced the file while this one wrote it.'},
  FILE_UNREADABLE: {exit: 'usage', about: 'The file cannot be read.'},
  FILTER_NOT_HONOURED: {exit: 'incomplete', about: 'The service returned records that the filter excludes.'},
  FILTER_VALUE: {exit: 'usage', about: 'The value of a filter is not valid.'},
  FLAG_WITHOUT_EFFECT: {exit: 'usage', about: 'A flag has no effect in this combination.'},
  FOLDER_MISSING: {exit: 'storage', about: 'The folder of the file to write does not exist.'},
  FOREIGN_DATABASE: {
    exit: 'usage',
    about: 'The file, schema or table exists and is not one that vendorctl can add to.',
  },
  GRADE: {exit: 'incomplete', about: 'The export proves less than the grade that was asked for.'},
  HEADER: {exit: 'usage', about: 'The header is not one that can be sent.'},
  IDS_UNKNOWN: {exit: 'unavailable', about: 'It could not be checked whether all ids exist.'},
  INVALID_CONDITION: {exit: 'usage', about: 'A condition of --where is not valid.'},
  INVALID_DELIMITER: {exit: 'usage', about: 'The delimiter is not one character that can separate cells.'},
  INVALID_REPORT: {exit: 'usage', about: '--report writes a workbook, and the name of the file is not that of one.'},
  INVALID_FIX: {exit: 'usage', about: '--fix cannot write the file in this way.'},
  INVALID_JOBS: {exit: 'invalid', about: 'The jobs file has problems; each is listed separately.'},
  INVALID_LOOKUP: {
    exit: 'usage',
    about: '--lookup does not name an id field and a field of the record that it is the id of.',
  },
  INVALID_MAP: {exit: 'usage', about: 'A pair of --map is not COLUMN=FIELD, or names an unknown column or field.'},
  INVALID_MATCH: {
    exit: 'usage',
    about: '--match does not name fields by which the records of this write can be found.',
  },
  HEARTBEAT_TAKEN: {exit: 'usage', about: 'Another export writes the same heartbeat file.'},
  INVALID_CHANGE: {
    exit: 'usage',
    about: '--change or --round cannot be used as given.',
  },
  INVALID_SET: {
    exit: 'usage',
    about: 'A pair of --set is not FIELD=VALUE, or names a field or holds a value that is not sent.',
  },
  IS_A_FOLDER: {exit: 'usage', about: 'The path of the file to write is a folder.'},
  JOB_FAILED: {exit: 'failure', about: 'A job ended with an exit code other than 0.'},
  JOB_VARIABLE: {exit: 'usage', about: 'The jobs file names a variable that is not set.'},
  JOURNAL_LOST: {exit: 'storage', about: 'The outcome of a request could not be written into the journal.'},
  KEY_MISSING: {exit: 'usage', about: 'The columns leave out a field that identifies the rows of a table.'},
  KEY_NOT_UNIQUE: {exit: 'incomplete', about: 'Two rows have the same key, so that a table cannot hold both.'},
  LIVE_CREDENTIALS: {exit: 'unsafe', about: 'Credentials of a real service were about to be sent to a sandbox.'},
  LOGIN_ANSWER: {exit: 'unavailable', about: 'The login was answered without a usable token.'},
  LOGIN_INPUT: {exit: 'denied', about: 'A value that the login needs is missing.'},
  MARK_LOCAL: {
    exit: 'invalid',
    about: 'A name of --since-last has a mark on this machine, and machines share their marks.',
  },
  MARK_SET_BACK: {
    exit: 'storage',
    about: 'The shared store is older than this machine has seen it: a run could deliver records a second time.',
  },
  MARK_NOT_MOVED: {
    exit: 'unavailable',
    about: 'All was read, and the store of shared marks could not be reached to record it; the same command does.',
  },
  MANIFEST: {exit: 'invalid', about: 'The manifest of an exported file cannot be read.'},
  MAX_DURATION: {exit: 'limited', about: 'The time of --max-duration is over.'},
  MAX_REQUESTS: {exit: 'limited', about: 'The requests of --max-requests are used up.'},
  METHOD: {exit: 'usage', about: 'The HTTP method is not one that can be sent.'},
  MIRROR_DIFFERS: {exit: 'incomplete', about: 'A table of the mirror does not hold what was put into it.'},
  MIRROR_LOCKED: {exit: 'locked', about: 'Another sync writes into the same database.'},
  MIRROR_NEWER: {exit: 'storage', about: 'A later version of vendorctl filled the mirror.'},
  MISSING_ID: {exit: 'incomplete', about: 'A filter names ids that do not exist.'},
  NAME_AMBIGUOUS: {exit: 'usage', about: 'A name of --since-last was used with several filters or columns.'},
  NAME_LOCKED: {exit: 'locked', about: 'Another run uses the same name of --since-last.'},
  NAME_TOO_LONG: {exit: 'usage', about: 'The name of the file to write is too long.'},
  NEEDS_FILE: {exit: 'usage', about: 'This format is written to a file only.'},
  NOTHING_TO_RESUME: {exit: 'empty', about: 'The run has no rows left to send.'},
  NOTHING_TO_UNDO: {exit: 'invalid', about: 'Nothing of the run can be undone.'},
  NOT_AS_ITS_MANIFEST: {exit: 'invalid', about: 'The file does not match its manifest: it was cut or changed.'},
  NOT_A_LIST: {exit: 'unavailable', about: 'The answer is not a list, so its pages cannot be joined.'},
  NOT_A_WRITE: {exit: 'usage', about: 'The operation takes no records.'},
  NOT_CONFIRMED: {exit: 'failure', about: 'The question was answered with no, or could not be asked.'},
  NOT_DAMAGED: {exit: 'usage', about: 'The run is sound, so it is not set aside.'},
  NOT_DELIVERED_ELSEWHERE: {exit: 'storage', about: 'A file that another machine wrote is not known to be delivered.'},
  NO_BASE_URL: {exit: 'usage', about: 'No service is set up.'},
  NOTIFY_FAILED: {exit: 'unavailable', about: 'A notification of vendorctl notify test was not delivered.'},
  NO_CREDENTIALS: {exit: 'denied', about: 'The profile has no credentials.'},
  NO_JOB: {exit: 'usage', about: 'There is no job of this name, or no jobs file.'},
  NO_EXPORT: {exit: 'usage', about: 'A flag needs an export to a file.'},
  NO_MANIFEST: {exit: 'invalid', about: 'The exported file has no manifest.'},
  NO_PERMISSION: {exit: 'storage', about: 'The system does not permit the file to be written.'},
  NO_PLAN: {exit: 'invalid', about: 'The file is not a plan.'},
  NO_PROFILE: {exit: 'usage', about: 'There is no profile of this name, or none of several is in use.'},
  NO_RANGE: {exit: 'usage', about: 'The command needs a range of dates.'},
  NO_REQUEST: {exit: 'usage', about: 'The log of the sandbox does not have this request.'},
  NO_RUN: {exit: 'usage', about: 'There is no run with this id.'},
  NO_SANDBOX: {exit: 'usage', about: 'No sandbox is running.'},
  NO_SELECTION: {exit: 'usage', about: 'No runs or records are chosen.'},
  NO_SPACE: {exit: 'storage', about: 'The disk is full.'},
  NO_SUCH_PATH: {exit: 'denied', about: 'The service has no such path or stage, or the key may not use it.'},
  NO_WATERMARK: {exit: 'usage', about: 'No run has used this --since-last name yet.'},
  OTHER_COUNT: {exit: 'usage', about: 'Not as many records would be deleted as --confirm-count says.'},
  OTHER_EXPORT: {exit: 'usage', about: 'An unfinished export of something else lies beside the file.'},
  OTHER_IN_DOUBT: {exit: 'inDoubt', about: 'Rows that are left to send are in doubt in another run.'},
  OTHER_SERVICE: {exit: 'usage', about: 'The file was read from another service or stage.'},
  OTHER_TARGET: {exit: 'usage', about: 'The plan or run was made for another service or stage.'},
  OUTPUT: {exit: 'storage', about: 'The output could not be written.'},
  OUTPUT_CHANGED: {exit: 'storage', about: 'The written file was changed or removed before the export ended.'},
  OUTPUT_LOCKED: {exit: 'locked', about: 'Another run writes or delivers the same file.'},
  OWN_LIMIT: {
    exit: 'limited',
    about: 'A daily limit that the service has for this operation alone is used up; it resets at 00:00 UTC.',
  },
  PAGE_EMPTY: {exit: 'incomplete', about: 'A page in the middle of a list was empty.'},
  PAGE_REPEATED: {exit: 'incomplete', about: 'The service returned the same page twice.'},
  PAGE_SIZE_CHANGED: {exit: 'incomplete', about: 'The page size changed while a list was read.'},
  PART_DAMAGED: {exit: 'storage', about: 'The unfinished file of an export is damaged, so it cannot be resumed.'},
  PATH_OUTSIDE: {exit: 'usage', about: 'The path is outside the stage.'},
  PLAIN_HTTP: {exit: 'unsafe', about: 'The base URL is not https, so the API key could be read on the way.'},
  PLAN_APPLIED: {exit: 'incomplete', about: 'The plan was applied before.'},
  PLAN_EDITED: {exit: 'invalid', about: 'The plan was edited, cut or damaged.'},
  PLAN_INPUT: {exit: 'usage', about: 'The file beside the plan is missing, or the plan was made without one.'},
  PLAN_OPERATION: {exit: 'usage', about: 'The plan is of another operation.'},
  PLAN_OUTDATED: {exit: 'incomplete', about: 'Records changed since the plan was made.'},
  PLAN_VERSION: {exit: 'invalid', about: 'The plan was made by another version of vendorctl.'},
  PROFILE_NAME: {exit: 'usage', about: 'The text is not valid as the name of a profile.'},
  PROTECTED: {exit: 'usage', about: 'The profile is protected: its name must be given with --confirm.'},
  PROXY_ADDRESS: {exit: 'usage', about: 'The address of the proxy is not valid.'},
  QUERY_COUNT: {exit: 'invalid', about: 'The text is not one complete query.'},
  QUERY_FAILED: {exit: 'invalid', about: 'The database refused the query, in the words that the message quotes.'},
  QUERY_WRITES: {exit: 'invalid', about: 'The statement is not a query, or the query would change something.'},
  QUOTA: {exit: 'limited', about: 'The service says that the quota of the day is used up.'},
  QUOTA_FORECAST: {exit: 'limited', about: 'The command needs more requests than are left today.'},
  QUOTA_SPENT: {exit: 'limited', about: 'The requests that may be used today are used up.'},
  RANGE: {exit: 'usage', about: 'The range of dates is not valid.'},
  RANGE_CLAMPED: {exit: 'incomplete', about: 'The service returned a shorter range than was asked for.'},
  RANGE_NOT_SERVED: {exit: 'incomplete', about: 'The service returned another range than was asked for.'},
  RECORD_CHANGED: {exit: 'incomplete', about: 'A record changed since the plan was made.'},
  REDIRECT: {exit: 'unsafe', about: 'The service answered with a redirect, which is not followed.'},
  RESET_DATE: {exit: 'usage', about: 'The mark of an export cannot be set to this date.'},
  RESET_REFUSED: {exit: 'usage', about: 'The mark of an export cannot be set while its last file is not complete.'},
  RUN_AMBIGUOUS: {exit: 'usage', about: 'Several runs fit this id.'},
  RUN_EXPORTED: {exit: 'locked', about: 'The run was exported and is continued elsewhere.'},
  RUN_IN_DOUBT: {exit: 'inDoubt', about: 'Rows of the run are in doubt.'},
  RUN_IS_EXPORT: {exit: 'usage', about: 'The id is that of an export, a sync or a job, not of a write.'},
  RUN_LOCKED: {exit: 'locked', about: 'Another process works on the run.'},
  RUN_NEVER_BEGAN: {exit: 'usage', about: 'The run ended before its journal was made; it sent nothing.'},
  SAME_FILE: {exit: 'usage', about: 'Two files of the command line are the same one.'},
  SAMPLE: {exit: 'usage', about: 'The value of --sample is not a share such as 5%.'},
  SANDBOX_CLOCK: {exit: 'usage', about: 'The clock of the sandbox cannot be moved like this.'},
  SANDBOX_DATABASE: {exit: 'storage', about: 'The database of the sandbox cannot be used.'},
  SANDBOX_GONE: {exit: 'unavailable', about: 'The sandbox is not running any more.'},
  SANDBOX_KEY: {exit: 'usage', about: 'The API key of the sandbox is not valid.'},
  SANDBOX_PORT: {exit: 'usage', about: 'The sandbox cannot use this port.'},
  SANDBOX_REPLACED: {exit: 'unsafe', about: 'Another program answers where the sandbox was running.'},
  SANDBOX_RUNNING: {exit: 'locked', about: 'A sandbox is running already.'},
  SANDBOX_SILENT: {exit: 'unavailable', about: 'The sandbox does not answer.'},
  SANDBOX_START: {exit: 'failure', about: 'The sandbox did not start.'},
  SCHEDULER: {exit: 'failure', about: 'The scheduler of this machine could not be set up.'},
  SECRET_FILE: {exit: 'denied', about: 'The file that holds a secret cannot be read.'},
  SENT_MEANWHILE: {exit: 'locked', about: 'Another run sent rows of this write while it was prepared.'},
  SEND_TIME_UNKNOWN: {exit: 'incomplete', about: 'It is not known when a set was sent, by the clock of the service.'},
  SERVED_RANGE: {exit: 'incomplete', about: 'The service does not say which range of dates it returned.'},
  SETTINGS_OPEN: {exit: 'unsafe', about: 'The file of settings can be changed by other users.'},
  SETTING_KEY: {exit: 'usage', about: 'There is no setting of this name.'},
  SETTING_PAIR: {exit: 'usage', about: 'The text is not KEY=VALUE.'},
  SETTING_VALUE: {exit: 'usage', about: 'The value of a setting is not valid.'},
  SET_TOO_LARGE: {exit: 'invalid', about: 'The records do not fit into one request.'},
  SIGHUP: {exit: 'hungUp', about: 'The terminal was closed (SIGHUP).'},
  SIGINT: {exit: 'interrupted', about: 'Stopped by Ctrl-C.'},
  SIGTERM: {exit: 'terminated', about: 'Stopped by SIGTERM.'},
  STAGE_WITHOUT_BULK: {exit: 'usage', about: 'This stage of the service has no bulk requests.'},
  STAGE_WITHOUT_SESSIONS: {exit: 'usage', about: 'This stage of the service has no sessions.'},
  STATE_BUSY: {exit: 'locked', about: 'Another process holds a file of vendorctl.'},
  STATE_DAMAGED: {exit: 'storage', about: 'A file of vendorctl is damaged.'},
  STATE_FOLDER: {exit: 'storage', about: 'A folder lies where vendorctl keeps a file.'},
  STATE_FULL: {exit: 'storage', about: 'The disk is full where vendorctl keeps its files.'},
  STATE_IO: {exit: 'storage', about: 'The disk failed where vendorctl keeps its files.'},
  STATE_NEWER: {exit: 'storage', about: 'A file or schema was written by a later version of vendorctl.'},
  STATE_ON_NETWORK: {exit: 'storage', about: 'Files that must not be lost would lie on a network file system.'},
  STATE_OPEN: {exit: 'unsafe', about: 'A vendorctl file can be read or changed by other users.'},
  STATE_UNREADABLE: {exit: 'storage', about: 'A file of vendorctl cannot be read.'},
  STATE_UNWRITABLE: {exit: 'storage', about: 'A file of vendorctl cannot be written.'},
  STOPPED: {exit: 'interrupted', about: 'The request was stopped.'},
  STOPPED_EARLY: {exit: 'terminated', about: 'A second signal stopped the program before it could finish.'},
  STORAGE_ERROR: {exit: 'storage', about: 'The disk failed.'},
  SYMBOLIC_LINK: {exit: 'unsafe', about: 'A symbolic link, or a file of another user, is not used.'},
  TEMPLATE: {exit: 'usage', about: 'The name of the output file does not fit the number of files.'},
  THROTTLED: {exit: 'limited', about: 'The service answers that requests come too fast.'},
  TIMEOUT: {exit: 'unavailable', about: 'The answer did not come in time.'},
  TLS: {exit: 'unsafe', about: 'The certificate of the service was not accepted; nothing was sent.'},
  TLS_CHECK_OFF: {exit: 'unsafe', about: 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off.'},
  TOKEN_HEADER: {exit: 'usage', about: 'The login token cannot be sent in this header.'},
  TOO_MANY_COLUMNS: {exit: 'incomplete', about: 'The format cannot hold so many columns.'},
  TOO_MANY_FIELDS: {exit: 'unavailable', about: 'Records hold more unknown fields than columns can be made for.'},
  TOO_MANY_FILES: {
    exit: 'storage',
    about: 'The program cannot open more files or connections: the limit of the system is reached.',
  },
  TOO_MANY_RECORDS: {exit: 'limited', about: 'More records would be sent than --max-records allows.'},
  TRACE_INCOMPLETE: {
    exit: 'incomplete',
    about: 'A report of changes lacks some that are known to exist, so what it lacks proves nothing.',
  },
  TRUNCATED: {exit: 'incomplete', about: '--limit left records out, and --fail-on-truncate was given.'},
  TWO_SELECTIONS: {exit: 'usage', about: 'Runs or records are chosen in two ways.'},
  UNDO_CONFLICT: {exit: 'incomplete', about: 'Records changed since the run; undoing it would overwrite that.'},
  UNEXPECTED: {exit: 'failure', about: 'An unexpected error. This is a defect of vendorctl.'},
  UNKNOWN_CODE: {exit: 'usage', about: 'There is no code of this name.'},
  UNKNOWN_COMMAND: {exit: 'unknownCommand', about: 'There is no command of this name.'},
  UNKNOWN_FAULT: {exit: 'usage', about: 'The sandbox has no fault of this name.'},
  UNKNOWN_OPERATION: {exit: 'usage', about: 'There is no operation of this name.'},
  UNREACHABLE: {exit: 'unavailable', about: 'The service cannot be reached; nothing was sent.'},
  USAGE: {exit: 'usage', about: 'The command line is not valid.'},
  VALUE_DOES_NOT_FIT: {exit: 'incomplete', about: 'The format cannot hold a value without changing it.'},
  WAIT_TOO_LONG: {exit: 'limited', about: 'The service asks to wait longer than the program waits.'},
} as const satisfies Record<string, FailureRow>

export type FailureCode = keyof typeof failureCodes

/** The exit that a failure ends in unless it says otherwise. */
export function usualExitOf(code: FailureCode): ExitName {
  return failureCodes[code].exit
}

declare const isForeign: unique symbol
/** A code that another side chose: the service, or the operating system. It is shown as it came. */
export type ForeignCode = string & {readonly [isForeign]: true}

/** `inDoubt` as `IN_DOUBT`: what names a failure that has an exit code only. */
export type CodeOfExit<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? Uppercase<First> : `_${First}`}${CodeOfExit<Rest>}`
  : ''

/** Every code that an error can have. */
export type ErrorCode =
  | FailureCode
  | keyof typeof gatewayAnswers
  | keyof typeof inputProblems
  | keyof typeof rowCodes
  | RefusalCode
  | CodeOfExit<keyof typeof exitCodes>
  | `HTTP_${number}`
  | ForeignCode

/** Of a code that is not for this program to choose. */
export const longestCode = 100

export function toForeignCode(text: string): ForeignCode {
  return text.slice(0, longestCode) as ForeignCode
}
