import {isStop} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import type {CliFailure} from '../../core/errors.js'
import {type Named, nameProfile, nameSource} from '../../settings/name-source.js'
import type {CommandContext} from '../app/command-context.js'
import {beforeDashes, type Flags} from '../app/read-arguments.js'
import type {Ending} from '../jobs/record-ending.js'
import {isWorkflow, sayCommand} from '../terminal/error-output.js'
import {reportFacts} from './watched.js'

type Given = {command: string; named: Named; flags: Flags; args: readonly string[]; environment: Environment}

/** A failure with advice for the profile in use, for where a value came from, and for a command that was stopped. */
export async function advise(failure: CliFailure, given: Given): Promise<CliFailure> {
  const {command, named, flags, args, environment} = given
  await nameProfile(failure, named, environment)
  if (failure.exit === 'denied') await nameSource(failure, named, environment)
  if (failure.code === 'USAGE') failure.hints.unshift(...findVariables(failure.message, flags, args, environment))
  if (failure.code === 'FILTER_VALUE' && failure.hints.length === 0)
    failure.hints.push(`See: ${commandLine(command, [], {help: true})}`)
  if (isStop(failure.exit) && failure.hints.length === 0) failure.hints.push('Run the same command again.')
  return failure
}

/** The variables that gave the values of flags that a message names, as a hint each. */
export function findVariables(message: string, flags: Flags, given: readonly string[], environment: Environment) {
  const named = new Set(message.match(/--[a-z][a-z-]*/g))
  return Object.entries(flags).flatMap(([name, {char, env}]) => {
    const isLong = (each: string) => each === `--${name}` || each.startsWith(`--${name}=`)
    const isGiven = given.some((each) => isLong(each) || (char !== undefined && each.startsWith(`-${char}`)))
    const isVariable = env !== undefined && environment[env] !== undefined && !isGiven && named.has(`--${name}`)
    return isVariable ? [`The value of --${name} comes from the variable ${env}.`] : []
  })
}

/** `known`: the flags that the command has. */
export type Ended = Omit<Ending, 'exit'> & {known: Flags}

/** Records how a run ended where a scheduler reads it: for what watches it, in a metrics file, in the summary of a workflow. */
export async function recordCommandEnd(ended: Ended, context: CommandContext): Promise<void> {
  const {args, known, measured} = ended
  await annotate(ended, context)
  if (process.send) reportFacts(Object.assign({}, ...measured.map((ask) => ask())))
  if (!('metrics-file' in known)) return
  const {VENDORCTL_METRICS_FILE: file, GITHUB_STEP_SUMMARY: summary} = context.environment
  if (!file && !summary && !beforeDashes(args).some((each) => each.startsWith('--metrics-file'))) return
  const {recordEnding} = await import('../jobs/record-ending.js')
  await recordEnding({...ended, exit: Number(process.exitCode ?? 0)}, context)
}

/** Shows the problems of a read to the runner of a workflow; a write does so itself. */
async function annotate({known, errors}: Ended, {environment}: CommandContext): Promise<void> {
  if (errors.length === 0 || !('output' in known) || 'annotations' in known || !isWorkflow()) return
  const {toWorkflowCommands} = await import('../../runs/report/ci-annotations.js')
  for (const command of toWorkflowCommands(errors, environment)) sayCommand(command)
}
