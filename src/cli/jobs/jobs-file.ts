import {join} from 'node:path'
import type {Environment} from '../../core/environment.js'
import {configFolder} from '../../core/folders.js'
import {type JobsFile, readJobsAt} from '../../jobs/file/find-jobs.js'
import type {KnownCommands} from '../../jobs/file/job.js'
import type {CommandContext} from '../app/command-context.js'
import type {JobsFlags} from './jobs-flags.js'

/** The jobs file that a flag names, or that of this user, checked against the commands of the program. */
export async function readJobsFile(
  flags: JobsFlags,
  {environment, commands}: Pick<CommandContext, 'environment' | 'commands'>,
): Promise<JobsFile> {
  return readJobsText(flags['jobs-file'], environment, await commands.known())
}

/** The jobs file of a path, or of this user; the names of commands and flags are checked where they are known. */
export function readJobsText(given: string | undefined, environment: Environment, known?: KnownCommands): JobsFile {
  return readJobsAt(given ?? join(configFolder(environment), 'jobs.yaml'), given !== undefined, known)
}
