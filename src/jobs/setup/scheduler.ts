import type {Environment} from '../file/job.js'
import type {Schedule} from './schedule.js'

/** What a scheduler is told about a job. */
export type Subject = {
  schedule: Schedule
  /** Absolute path of the jobs file. */
  jobsFile: string
  profile: string | undefined
  /** Path of the file that the job writes, which may hold `{date}`. */
  output: string | undefined
  /** Of the program with its tag, for Kubernetes; else empty. */
  image: string
  /** Whether it writes to the service. */
  writes: boolean
  /** Whether its file is handed over. */
  delivers: boolean
  /** Notices of its relative paths. */
  relative: readonly string[]
  /** Names of the variables that the jobs file mentions. */
  variables: readonly string[]
  /** The time zone of this machine. */
  zone: string
  now: number
  /** Of the program. */
  version: string
  environment: Environment
}

/** A text for a scheduler, and what to do with it, a step a line. */
export type Shown = {text: string; advice: string[]}

/** What became of a job in a scheduler, where, and what else can be done, a step a line. */
export type Outcome = {
  did: 'installed' | 'replaced' | 'unchanged' | 'removed' | 'absent'
  where: string
  /** What was there before, where it was replaced. */
  before?: string
  advice: string[]
}

export type Scheduler = {
  show: (subject: Subject) => Shown
  install: (subject: Subject) => Outcome
  remove: (name: string, environment: Environment) => Outcome
}
