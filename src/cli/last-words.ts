import {commandLine} from '../values/command-line.js'

/** What is printed when a bulk write is left before its end: what is known, and the next command. */
export function leftAtOnce(runId: string | undefined, answered: number, rows: number): string {
  if (runId === undefined) return 'Left at once: nothing was sent.'
  return [
    `Left at once: ${answered} of ${rows} rows were answered; a set that was on its way may or may not have been applied.`,
    'No results or rejects file was written. Do not send any row again by hand.',
    `→ What is known and what is not: ${commandLine('runs show', [runId])}`,
    `→ Settle what is in doubt and send the rest: ${commandLine('runs resume', [runId])}`,
  ].join('\n')
}
