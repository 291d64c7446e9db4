import type {TimeOfDay} from './time-of-day.js'

/** What a scheduler is to start every day, and as what. */
export type Schedule = {
  /** Of the job. */
  name: string
  at: TimeOfDay
  /** The program by its absolute path, and its arguments. */
  program: readonly string[]
  /** Variables that the scheduler would not set by itself, such as PATH. */
  environment: Readonly<Record<string, string>>
  /** The command that makes the same text again. */
  madeBy: string
}

/** A file that a scheduler reads. */
export type SetupFile = {name: string; text: string}

/** The first lines of a file that was made here: by the first of them the file is known as that of a job. */
export function headOf({name, madeBy}: Pick<Schedule, 'name' | 'madeBy'>): string {
  return `# vendorctl job ${name}\n# Made by: ${madeBy}\n`
}

/** Whether a file was made here for this job. */
export function isMadeFor(name: string, text: string): boolean {
  return text.startsWith(`# vendorctl job ${name}\n`)
}
