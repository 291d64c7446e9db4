import type {ExitCode} from './grammar.js'

/** What the program's exit code says to shells, cron and CI. */
export const exitCodes = {
  ok: {code: 0, about: 'Done and complete; also nothing to do, and a reader that closed the pipe early.'},
  failure: {code: 1, about: 'Unexpected failure of the program, or a "no" at a prompt.'},
  usage: {code: 2, about: 'Wrong flags or arguments.'},
  invalid: {code: 3, about: 'Input refused here; nothing was sent.'},
  denied: {code: 4, about: 'Login, key or permission (401, 403).'},
  refused: {code: 5, about: 'The service refused; nothing was changed.'},
  partial: {code: 6, about: 'Some sets were applied, some were refused or not sent.'},
  inDoubt: {code: 7, about: 'A write may or may not have been applied: reconcile first.'},
  limited: {code: 8, about: 'Stopped by quota, --max-requests or --max-records; can go on later.'},
  empty: {code: 9, about: 'Nothing matched, with --fail-on-empty.'},
  incomplete: {code: 10, about: 'A read was clamped, drifted, was cut, or the filter was not honoured.'},
  changes: {code: 11, about: '--dry-run --detailed-exitcode found changes.'},
  storage: {code: 12, about: 'Disk full, no permission, or a damaged state file.'},
  locked: {code: 13, about: 'Another run holds the lock.'},
  unsafe: {code: 14, about: 'TLS, a redirect, or a credential file open to others.'},
  unavailable: {
    code: 75,
    about: 'Service or network down, or an answer that makes no sense; nothing in doubt; try later.',
  },
  unknownCommand: {code: 127, about: 'No such command.'},
  interrupted: {code: 130, about: 'Stopped by Ctrl-C (SIGINT).'},
  terminated: {code: 143, about: 'Stopped by SIGTERM.'},
} as const satisfies Record<string, ExitCode>

export type ExitName = keyof typeof exitCodes

/** When several outcomes meet, the first of these wins. */
export const exitPrecedence = [
  'inDoubt',
  'partial',
  'refused',
  'incomplete',
  'limited',
  'unavailable',
] as const satisfies readonly ExitName[]
