import type {ExitCode} from './base/grammar.js'

/** Exit by a signal. */
const stopped = {
  changed: 'What was done before the stop; the last lines say what.',
  again: 'A read: yes. A write: with vendorctl runs resume, which first resolves what is in doubt.',
  hint: 'Resume a write with: vendorctl runs resume latest. Repeat any other command.',
} as const

/** Exit codes of the program, for shells, cron and CI. */
export const exitCodes = {
  ok: {
    code: 0,
    about: 'Done and complete; also nothing to do, or a reader that closed the pipe early.',
    changed: 'What was requested.',
    again:
      'There is nothing left to do. If the same rows are sent again, alerts, which have no natural key, are refused (exit 3) while their run is kept, unless --fresh is given; other creates are written again unless the service refuses them; updates change nothing.',
    hint: 'Nothing.',
  },
  failure: {
    code: 1,
    about: 'Unexpected failure of the program, or a "no" at a prompt.',
    changed: 'After a "no": nothing. After an unexpected failure of a write: what its journal says.',
    again: 'After a "no": yes. After an unexpected failure of a write: with vendorctl runs resume.',
    hint: 'See what a write has done with: vendorctl runs show latest. Report an unexpected failure with the output of --verbose; it contains no secret.',
  },
  usage: {
    code: 2,
    about: 'Wrong flags or arguments.',
    changed: 'Nothing; no request was sent.',
    again: 'Yes, once the command is right.',
    hint: 'See the command with --help.',
  },
  invalid: {
    code: 3,
    about: 'Input refused here; nothing was sent.',
    changed: 'Nothing; no write was sent.',
    again: 'Yes, once the file is fixed.',
    hint: 'Fix the named lines and fields. See the fields of a file with: vendorctl contract show OPERATION.',
  },
  denied: {
    code: 4,
    about: 'Login, key or permission (401, 403).',
    changed: 'Nothing by the request that was denied.',
    again: 'Yes, once the login, key or permission is right.',
    hint: 'Check with: vendorctl auth test and vendorctl auth status. Log in with: vendorctl auth login.',
  },
  refused: {
    code: 5,
    about: 'The service refused; nothing was changed.',
    changed: 'Nothing; each refused set was rolled back completely.',
    again: 'Once the refused rows are fixed: the rejects file, or the same command again, which skips applied rows.',
    hint: 'Fix the named rows. See what a code means with: vendorctl explain CODE.',
  },
  partial: {
    code: 6,
    about: 'Some sets were applied, others refused or not sent.',
    changed: 'The rows with the fate applied, and no others.',
    again:
      'Yes, with vendorctl runs resume, or by the same command with the same or a fixed file: applied rows are recognised and skipped. Only --fresh would write them again.',
    hint: 'Send the rest with: vendorctl runs resume ID. Fix the refused rows and send the rejects file.',
  },
  inDoubt: {
    code: 7,
    about: 'A write may or may not have been applied: reconcile first.',
    changed: 'Unknown for the rows in doubt.',
    again:
      'Not from elsewhere: the rows could be written twice. Here the same command is safe: it reconciles first, skips applied rows, and sends nothing while a row is in doubt.',
    hint: 'Find out with: vendorctl runs reconcile ID, then send the rest with: vendorctl runs resume ID. See what is known with: vendorctl runs show ID.',
  },
  limited: {
    code: 8,
    about: 'Stopped by quota, --max-requests or --max-records; resumable.',
    changed: 'What was done before the stop; nothing is in doubt.',
    again: 'Yes, later or with a higher limit; resume a write with vendorctl runs resume.',
    hint: 'See what is left today with: vendorctl quota. The daily quota resets at 00:00 UTC.',
  },
  empty: {
    code: 9,
    about: 'Nothing matched, with --fail-on-empty; or there is nothing to resume.',
    changed: 'Nothing.',
    again: 'Yes.',
    hint: 'Check the filters and the range, or omit --fail-on-empty. After runs resume, see what was sent with: vendorctl runs list.',
  },
  incomplete: {
    code: 10,
    about:
      'A read was clamped, drifted or cut, or a filter was not honoured; or records changed since a plan was made.',
    changed:
      'Nothing by a read, or by a plan or an undo that found changed records. An undo that skipped rows has undone the others. The output of a read may lack records or contain too many.',
    again: 'A read: yes. A plan: make a new one. An undo: after checking the named records, or with --skip-changed.',
    hint: 'See in the message what is missing or was changed. A lost filter often means that the body of a GET is stripped on the way: check with vendorctl doctor.',
  },
  changes: {
    code: 11,
    about: '--dry-run --detailed-exitcode found changes.',
    changed: 'Nothing; it was a dry run.',
    again: 'Yes.',
    hint: 'Run it without --dry-run to apply the changes.',
  },
  storage: {
    code: 12,
    about: 'Disk full, no permission, or a damaged state file.',
    changed:
      'An output file under its final name is complete or untouched. Of a write, what was answered before the disk failed; this is in its journal, or in the file that the message names.',
    again: 'A read: yes. A write: with vendorctl runs resume, which also reads what was kept elsewhere.',
    hint: 'Free disk space, or fix the permissions of the named path. See the state of a write with: vendorctl runs show latest.',
  },
  locked: {
    code: 13,
    about: 'Another run holds the lock, or the run was given to another machine.',
    changed: 'Nothing by this command.',
    again: 'Yes, when the other run has ended.',
    hint: 'Wait for the other run to end; see which one it is with: vendorctl runs list --open.',
  },
  unsafe: {
    code: 14,
    about: 'TLS, a redirect, or a vendorctl file or folder that other users can access.',
    changed: 'Nothing as far as is known; after a redirect of a write check the records first.',
    again: 'Only once the named problem is fixed.',
    hint: 'Fix the certificate, the base URL or the mode of the named file. Check with: vendorctl doctor.',
  },
  unavailable: {
    code: 75,
    about: 'Service or network down, or an unreadable answer; nothing in doubt; try later.',
    changed: 'Nothing is in doubt; what was applied before is in the report.',
    again: 'Yes, later.',
    hint: 'Find the cause with: vendorctl doctor.',
  },
  unknownCommand: {
    code: 127,
    about: 'No such command.',
    changed: 'Nothing.',
    again: 'Yes, once the command is spelled correctly.',
    hint: 'See the commands with: vendorctl help.',
  },
  hungUp: {code: 129, about: 'The terminal was closed (SIGHUP).', ...stopped},
  interrupted: {code: 130, about: 'Stopped by Ctrl-C (SIGINT).', ...stopped},
  terminated: {code: 143, about: 'Stopped by SIGTERM.', ...stopped},
} as const satisfies Record<string, ExitCode>

export type ExitName = keyof typeof exitCodes

/** The exits of signals: somebody stopped the program. */
export const stopExits = ['hungUp', 'interrupted', 'terminated'] as const satisfies readonly ExitName[]

export function isStop(exit: ExitName): boolean {
  return stopExits.some((one) => one === exit)
}
