import {Command, type Config} from '@oclif/core'
import type {Input, ParserOutput} from '@oclif/core/interfaces'
import {describeUnconfirmed, exitCodeOf, findOperationOf, isStop} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {type CliFailure, type ErrorEntry, toEntries, usage} from '../../core/errors.js'
import {isOn, toTruth, truthWords} from '../../values/truth.js'
import type {CommandContext, Measures, Presented} from '../app/command-context.js'
import {markDashed, unmarkDashed} from '../app/dashed-values.js'
import type {Environment} from '../app/environment.js'
import {globalFlags} from '../app/flags.js'
import {createMessages, forScheduler, isMailed, type Messages} from '../app/messages.js'
import type {Named} from '../app/name-profile.js'
import type {CommandStart} from '../app/program.js'
import {renderFailure} from '../app/render-failure.js'
import {toCliFailure} from '../app/to-cli-failure.js'
import {isAboutTogether, type WrongArguments} from '../app/usage-error.js'
import {beforeDashes, wantsJson} from '../app/wants-json.js'
import {sayCommand} from '../terminal/error-output.js'
import {dataOutput, findLostMessages, standardOutput} from '../terminal/output.js'
import {PipeClosed, resultPrinted, stopSignal} from '../terminal/signals.js'
import {isWorkflow} from '../terminal/workflow-log.js'

type Values = Record<string, unknown>

type Constructor = new (args: string[], config: Config) => BaseCommand

/** The base of all commands: the envelope, messages, and failures with their exit codes. */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags

  protected environment: Environment = {}
  #started: CommandStart | undefined
  protected messages: Messages = createMessages({quiet: false, verbose: false})
  readonly #warnings: string[] = []
  #named: Named = {}
  #isMailed = false
  readonly #measured: (() => Measures)[] = []
  readonly #endings: (() => Promise<void>)[] = []
  #errors: readonly ErrorEntry[] = []
  #flags: Values | undefined

  /** Runs the command with the arguments after its name. */
  static async start(this: Constructor, started: CommandStart): Promise<void> {
    const command = new this(started.args, started.config)
    command.environment = started.environment
    command.#started = started
    await command._run()
  }

  /** Why the arguments after the name of the command are wrong; undefined when they are not. Runs nothing. */
  static async check(
    this: Constructor,
    {args, config}: Pick<CommandStart, 'args' | 'config'>,
  ): Promise<WrongArguments | undefined> {
    const command = new this(args, config)
    command.messages = createMessages({quiet: true, verbose: false})
    try {
      await command.parse(command.ctor)
      return undefined
    } catch (error) {
      return {failure: toCliFailure(error, command.ctor), isTogether: isAboutTogether(error)}
    }
  }

  override async init(): Promise<void> {
    await super.init()
    const has = (...names: string[]) => beforeDashes(this.argv).some((each) => names.includes(each))
    const quiet = has('--quiet', '-q') || isOn(this.environment['VENDORCTL_QUIET'])
    const verbose = has('--verbose', '-v') || isOn(this.environment['VENDORCTL_VERBOSE'])
    const job = this.environment['VENDORCTL_JOB']
    this.#isMailed = isMailed(job, verbose)
    this.messages = forScheduler(job, verbose, createMessages({quiet, verbose}))
    if (has('--no-color') || isOn(this.environment['VENDORCTL_NO_COLOR'])) process.env['NO_COLOR'] = '1'
  }

  /** Reads the arguments and the variables of flags. Throws `usage` where one of them is empty or unclear. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    args?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const flags = {...this.ctor.baseFlags, ...this.ctor.flags}
    const given = [...switchesOf(flags, this.environment), ...(args ?? this.argv)]
    refuseInherited(given, flags, this.commandName)
    const parsed = await super.parse(options, markDashed(given, flags))
    Object.assign(parsed.flags, toLists(unmarkDashed(parsed.flags), flags))
    refuseEmpty(parsed)
    const {profile, stage}: Values = parsed.flags
    this.#named = {profile, stage}
    this.#flags = parsed.flags
    const unconfirmed = describeUnconfirmed(findOperationOf(this.commandName))
    if (unconfirmed !== undefined) this.messages.detail(unconfirmed)
    return parsed
  }

  override jsonEnabled(): boolean {
    return wantsJson(this.argv, this.environment)
  }

  /** What the function of the command is given. */
  protected get context(): CommandContext {
    if (!this.#started) throw new TypeError(`${this.id} was not started`)
    const {commands, environment, clock, envelope} = this.#started
    return {
      ...{commands, environment, clock},
      signal: stopSignal(),
      messages: this.messages,
      version: this.config.version,
      commandName: this.commandName,
      isJson: this.jsonEnabled(),
      isMailed: this.#isMailed,
      envelope: this.jsonEnabled() ? envelope : undefined,
      caution: (text) => this.caution(text),
      measure: (measures) => this.#measured.push(measures),
      atEnd: (work) => this.#endings.push(work),
      present: (presented) => this.present(presented),
    }
  }

  /** Shows a warning once, on standard error and in the envelope. */
  protected caution(text: string): void {
    if (this.#warnings.includes(text)) return
    this.#warnings.push(text)
    this.messages.note(`warning: ${text}`)
  }

  /** Warnings of the parser, such as that a flag has another name now. */
  override warn<Input extends string | Error>(input: Input): Input {
    this.caution(input instanceof Error ? input.message : input)
    return input
  }

  /** Ends the command: prints its data or its envelope and sets the exit code. */
  protected async present({data, text, meta = {}, exit = 'ok', errors = [], runId}: Presented): Promise<void> {
    process.exitCode = exitCodeOf(exit).code
    this.#errors = errors
    this.#measured.push(() => meta)
    if (!this.jsonEnabled()) {
      if (text !== undefined && !(this.#isMailed && exit === 'ok')) await standardOutput.write(text)
      resultPrinted()
      return
    }
    const lost = exit === 'ok' ? await findLostMessages() : undefined
    if (lost) process.exitCode = lost.exitCode
    const ending = lost ? {exit: lost.exit, errors: toEntries(lost)} : {exit, errors}
    const all = {data, meta, runId, warnings: this.#warnings, ...ending}
    for (const piece of this.#started?.envelope.close(all) ?? []) await dataOutput.write(piece)
  }

  override async catch(error: unknown): Promise<void> {
    if (error instanceof PipeClosed) {
      process.exitCode = 0
      return
    }
    const {nameProfile} = await import('../app/name-profile.js')
    const failure = nameProfile(toCliFailure(error, this.ctor), this.#named)
    if (failure.exit === 'denied') {
      const {nameSource} = await import('../settings/name-source.js')
      nameSource(failure, this.#named, this.environment)
    }
    this.#errors = toEntries(failure)
    this.#measured.push(() => ({next: failure.hints}))
    const flags = {...this.ctor.baseFlags, ...this.ctor.flags}
    if (failure.code === 'USAGE')
      failure.hints.unshift(...findVariables(failure.message, flags, this.argv, this.environment))
    const isStopped = isStop(failure.exit)
    if (isStopped && failure.hints.length === 0) failure.hints.push('Run the same command again.')
    const isWrite = ['yes', 'body'].some((flag) => flag in (this.ctor.flags ?? {})) // of bulk writes, and of `api`
    this.messages.tell(renderFailure(failure, process.stderr, isWrite))
    resultPrinted()
    if (failure.code === 'UNEXPECTED') this.messages.detail(String((error as Error).stack).split('\n'))
    await this.#presentFailure(failure)
    process.exitCode = failure.exitCode
  }

  async #presentFailure(failure: CliFailure): Promise<void> {
    if (!this.jsonEnabled()) return
    try {
      await this.present({data: null, exit: failure.exit, errors: toEntries(failure)})
    } catch {
      // The failure was printed on standard error; a closed or full standard output changes nothing about it.
    }
  }

  /** Records how a run ended where a scheduler reads it: in a metrics file, in the summary of a workflow. */
  protected override async finally(): Promise<void> {
    for (const end of this.#endings) await end()
    await this.#annotate()
    if (process.send) {
      const {reportFacts} = await import('./watched.js')
      reportFacts(Object.assign({}, ...this.#measured.map((ask) => ask())))
    }
    if (!('metrics-file' in (this.ctor.flags ?? {}))) return
    const {VENDORCTL_METRICS_FILE: file, GITHUB_STEP_SUMMARY: summary} = this.environment
    if (!file && !summary && !beforeDashes(this.argv).some((each) => each.startsWith('--metrics-file'))) return
    const {recordEnding} = await import('../jobs/record-ending.js')
    const exit = Number(process.exitCode ?? 0)
    const ending = {args: this.argv, flags: this.#flags, exit, errors: this.#errors, measured: this.#measured}
    await recordEnding(ending, this.context)
  }

  /** Shows the problems of a read to the runner of a workflow; a write does so itself. */
  async #annotate(): Promise<void> {
    const {output, annotations}: Values = {...this.ctor.flags}
    if (this.#errors.length === 0 || !output || annotations || !isWorkflow()) return
    const {toWorkflowCommands} = await import('../write/annotations.js')
    for (const command of toWorkflowCommands(this.#errors, this.environment)) sayCommand(command)
  }

  /** Name of the command, such as `sites create`. */
  protected get commandName(): string {
    return (this.id ?? '').replaceAll(':', ' ')
  }
}

type FlagFacts = {type: string; char?: string | undefined; env?: string | undefined; multiple?: boolean | undefined}
type Flags = Readonly<Record<string, FlagFacts>>

/**
 * The on-off flags whose variables are on, as arguments, because the parser knows fewer words for "on". Throws `usage`
 * at a variable that is neither on nor off: taken as off, a `--dry-run` that was meant would write.
 */
function switchesOf(flags: Flags, environment: Environment): string[] {
  return Object.entries(flags).flatMap(([name, {type, env}]) => {
    const text = type === 'boolean' && env !== undefined ? environment[env] : undefined
    return env !== undefined && text && requireTruth(env, text) ? [`--${name}`] : []
  })
}

function requireTruth(name: string, text: string): boolean {
  const truth = toTruth(text)
  if (truth !== undefined) return truth
  throw usage(`${name} is neither true nor false: "${text}".`, `Write one of ${truthWords}.`)
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

/** A variable gives the parser one value of a flag that takes several, and no list. */
function toLists(values: Record<string, unknown>, flags: Flags): Record<string, unknown> {
  const toList = ([name, value]: [string, unknown]) => [
    name,
    flags[name]?.multiple && typeof value === 'string' ? [value] : value,
  ]
  return Object.fromEntries(Object.entries(values).map(toList))
}

/** Throws `usage` at a flag such as `--constructor`, which the parser finds because every object has it. */
export function refuseInherited(args: readonly string[], flags: Flags, command: string): void {
  const names = beforeDashes(args).map((word) => /^--([^=]+)/.exec(word)?.[1] ?? '')
  const name = names.find((each) => each in flags && !Object.hasOwn(flags, each))
  if (name !== undefined) throw usage(`Unknown flag --${name}.`, `See: ${commandLine(command, [], {help: true})}`)
}

/**
 * Throws `usage` at an empty value, which a shell makes of a variable that is not set. An empty list is for its command
 * to judge.
 */
function refuseEmpty(given: {flags: object; args: object}): void {
  const flag = findEmpty(given.flags)
  if (flag !== undefined) throw usage(`--${flag} is empty.`, 'Give it a value, or leave it out.')
  const argument = findEmpty(given.args)
  if (argument !== undefined) throw usage(`Argument ${argument.toUpperCase()} is empty.`)
}

function findEmpty(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => value === '')?.[0]
}
