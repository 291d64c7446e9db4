import type {ExitCode} from './grammar.js'

/** What the program's exit code says to shells, cron and CI. */
export const exitCodes = {
  ok: {
    code: 0,
    about: 'Done and complete; also nothing to do, and a reader that closed the pipe early.',
    changed: 'What was asked for.',
    again:
      'Nothing is left to do. The same rows again: of alerts, which nothing names, they are refused (exit 3) while their run is kept, and --fresh sends them once more; other creates are written again where the service does not refuse them; updates change nothing.',
    hint: 'Nothing.',
  },
  failure: {
    code: 1,
    about: 'Unexpected failure of the program, or a "no" at a prompt.',
    changed: 'After a "no": nothing. After an unexpected failure of a write: its journal knows.',
    again: 'After a "no": yes. After an unexpected failure of a write: by its journal, with vendorctl runs resume.',
    hint: 'What a write has done: vendorctl runs show latest. Report an unexpected failure with what the command printed under --verbose; no secret is in it.',
  },
  usage: {
    code: 2,
    about: 'Wrong flags or arguments.',
    changed: 'Nothing; no request was sent.',
    again: 'Yes, once the command is right.',
    hint: 'Look at the command with --help.',
  },
  invalid: {
    code: 3,
    about: 'Input refused here; nothing was sent.',
    changed: 'Nothing; no write was sent.',
    again: 'Yes, once the file is mended.',
    hint: 'Mend the named lines and fields. The fields of a file: vendorctl contract show OPERATION.',
  },
  denied: {
    code: 4,
    about: 'Login, key or permission (401, 403).',
    changed: 'Nothing by the request that was denied.',
    again: 'Yes, once the login, the key or the permission is right.',
    hint: 'Check with: vendorctl auth test and vendorctl auth status. Log in with: vendorctl auth login.',
  },
  refused: {
    code: 5,
    about: 'The service refused; nothing was changed.',
    changed: 'Nothing; each refused set was rolled back whole.',
    again:
      'After the refused rows are mended: the rejects file, or the same command again, which leaves applied rows out.',
    hint: 'Mend the named rows. What a code means: vendorctl explain CODE.',
  },
  partial: {
    code: 6,
    about: 'Some sets were applied, some were refused or not sent.',
    changed: 'The rows with the fate applied, and no others.',
    again:
      'Yes, with vendorctl runs resume, or by the same command with the same or a mended file: applied rows are recognised and left out. Only --fresh would write them again.',
    hint: 'Send what was not sent with: vendorctl runs resume ID. Mend the refused rows and send the rejects file.',
  },
  inDoubt: {
    code: 7,
    about: 'A write may or may not have been applied: reconcile first.',
    changed: 'Unknown for the rows in doubt.',
    again:
      'Not elsewhere: a second send could write them twice. Here the same command is safe: it reconciles first, leaves applied rows out, and sends nothing while a row stays in doubt.',
    hint: 'Find out with: vendorctl runs reconcile ID, and send the rest with: vendorctl runs resume ID. What is known and what is not: vendorctl runs show ID.',
  },
  limited: {
    code: 8,
    about: 'Stopped by quota, --max-requests or --max-records; can go on later.',
    changed: 'What was done before the stop; nothing is in doubt.',
    again: 'Yes, later or with a higher ceiling; a write goes on with vendorctl runs resume.',
    hint: 'See what is left of the day with: vendorctl quota. It turns at 00:00 UTC.',
  },
  empty: {
    code: 9,
    about: 'Nothing matched, with --fail-on-empty; or there is nothing to resume.',
    changed: 'Nothing.',
    again: 'Yes.',
    hint: 'Check the filters and the range, or leave --fail-on-empty out. After runs resume: see what was sent with vendorctl runs list.',
  },
  incomplete: {
    code: 10,
    about:
      'A read was clamped, drifted, was cut, or the filter was not honoured; or records changed since a plan was made.',
    changed:
      'A read changes nothing, and a plan or an undo that meets changed records sends nothing. An undo that left rows as they are took the others back. The output of a read may lack records or hold too many.',
    again: 'A read: yes. A plan: make it anew. An undo: after a look at the named records, or with --skip-changed.',
    hint: 'Read what the message says is missing or was changed. A lost filter often means that the body of a GET is stripped on the way: vendorctl doctor finds out.',
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
      'An output file under its final name is whole or untouched. Of a write, what was answered before the disk failed; that is in its journal, or in the file that the message names.',
    again: 'A read: yes. A write: by its journal, with vendorctl runs resume, which takes in what was kept elsewhere.',
    hint: 'Make room, or mend the permission of the named path. Where a write stands: vendorctl runs show latest.',
  },
  locked: {
    code: 13,
    about: 'Another run holds the lock, or the run was given to another machine.',
    changed: 'Nothing by this command.',
    again: 'Yes, when the other run has ended.',
    hint: 'Wait for the other run to end; which one it is: vendorctl runs list --open. A run that was exported goes on after: vendorctl runs import FILE.',
  },
  unsafe: {
    code: 14,
    about: 'TLS, a redirect, or a file or folder of ours that is open to others.',
    changed: 'Nothing that is known of; after a redirect of a write look at the records first.',
    again: 'Only when the named danger is gone.',
    hint: 'Mend the certificate, the base URL or the mode of the named file. Check with: vendorctl doctor.',
  },
  unavailable: {
    code: 75,
    about: 'Service or network down, or an answer that makes no sense; nothing in doubt; try later.',
    changed: 'Nothing is in doubt; what was applied before is in the report.',
    again: 'Yes, later.',
    hint: 'Find the cause with: vendorctl doctor.',
  },
  unknownCommand: {
    code: 127,
    about: 'No such command.',
    changed: 'Nothing.',
    again: 'Yes, once the command is spelled right.',
    hint: 'See the commands with: vendorctl help.',
  },
  interrupted: {
    code: 130,
    about: 'Stopped by Ctrl-C (SIGINT).',
    changed: 'What was done before the stop; the last lines say what.',
    again: 'A read: yes. A write goes on with vendorctl runs resume, and first settles what is in doubt.',
    hint: 'Go on with a write by: vendorctl runs resume latest. Give any other command again.',
  },
  terminated: {
    code: 143,
    about: 'Stopped by SIGTERM.',
    changed: 'What was done before the stop; the last lines say what.',
    again: 'A read: yes. A write goes on with vendorctl runs resume, and first settles what is in doubt.',
    hint: 'Go on with a write by: vendorctl runs resume latest. Give any other command again.',
  },
} as const satisfies Record<string, ExitCode>

export type ExitName = keyof typeof exitCodes
