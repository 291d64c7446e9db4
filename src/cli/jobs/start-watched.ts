import {takeEnvironment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {toCommandName} from '../../values/command-facts.js'
import {isOn} from '../../values/truth.js'
import {createMessages} from '../app/messages.js'
import type {Asked, Program} from '../app/program.js'
import {beforeDashes, takeFlag} from '../app/read-arguments.js'
import {ignoreErrorsOfStderr} from '../terminal/error-output.js'
import {toCommandTarget, toUrlTarget} from './notify-values.js'
import {runWatched} from './run-own-command.js'

type Command = Extract<Asked, {kind: 'command'}>
type Refused = Extract<Asked, {kind: 'refused'}>

/** Runs a command whose flags or variables ask for notification. Resolves with its exit code, or with why they are wrong. */
export async function startWatched(command: Command, program: Program): Promise<number | Refused> {
  try {
    return await startCommand(command, program)
  } catch (error) {
    if (error instanceof CliFailure) return {kind: 'refused', failure: error}
    throw error
  }
}

async function startCommand({id, args}: Command, {root}: Program): Promise<number> {
  ignoreErrorsOfStderr()
  const environment = takeEnvironment()
  const url = takeFlag(args, 'notify-url')
  const command = takeFlag(url.rest, 'notify-command')
  const targets = {...(await toUrlTarget(url.value, environment)), ...toCommandTarget(command.value, environment)}
  const commandName = toCommandName(id)
  const name = takeFlag(args, 'since-last').value ?? environment['VENDORCTL_SINCE_LAST']
  const isQuiet = beforeDashes(args).some((each) => each === '--quiet' || each === '-q')
  const {note} = createMessages({quiet: isQuiet || isOn(environment['VENDORCTL_QUIET']), verbose: false})
  const caution = (text: string) => note(`warning: ${text}`)
  const {exitCode, signal} = await runWatched({
    ...{name: name || commandName, command: commandName, targets, environment, root},
    args: [...id.split(':'), ...command.rest],
    caution,
  })
  if (signal !== undefined) {
    const {recordKilled} = await import('./record-ending.js')
    const ending = {args, flags: undefined, exit: exitCode, errors: [], measured: []}
    await recordKilled(ending, {environment, commandName, caution})
  }
  return exitCode
}
