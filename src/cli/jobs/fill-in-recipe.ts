import {existsSync} from 'node:fs'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure, usage} from '../../core/errors.js'
import {findRecipe} from '../../jobs/file/find-jobs.js'
import {flagArguments, type Recipe, toId} from '../../jobs/file/job.js'
import {takesFile} from '../../jobs/file/read-jobs.js'
import {toCommandName} from '../../values/command-facts.js'
import type {Asked, Program} from '../app/program.js'
import {takeFlag} from '../app/read-arguments.js'
import {type HelpFacts, readFacts} from '../help/facts.js'
import {readJobsText} from './jobs-file.js'

type Line = {id: string; args: string[]}
type Known = HelpFacts['commands']

/**
 * The command line behind a recipe: `import NAME FILE` is the write of the recipe, `import check` its lint, and
 * `--recipe NAME` adds the flags of one to its command. Flags of the line itself come later, so that they win.
 */
export async function fillInRecipe({id, args}: Line, program: Pick<Program, 'facts'>): Promise<Asked> {
  const environment: Environment = {...process.env}
  try {
    const known = readFacts((await program.facts()).commands)
    const line = id.startsWith('import')
      ? await importOf({id, args}, known, environment)
      : flagOf({id, args}, known, environment)
    return {kind: 'command', ...(line ?? {id, args})}
  } catch (error) {
    if (error instanceof CliFailure) return {kind: 'refused', failure: error}
    throw error
  }
}

/** The command line of a recipe; undefined where a line is not NAME FILE …, which the command itself reports. */
async function importOf({id, args}: Line, known: Known, environment: Environment): Promise<Line | undefined> {
  const [name = '-', file = '-', ...rest] = args
  if (!name.startsWith('-') && file.startsWith('-') && existsSync(name)) throw await noRecipe(name, known)
  if (name.startsWith('-') || (file.startsWith('-') && file !== '-') || args.length < 2) return undefined
  const {recipe, more} = take(name, rest, known, environment)
  const to = toId(recipe.command)
  if (id === 'import') return {id: to, args: [...argumentsOf(recipe, more, known, to), `--file=${file}`, ...more]}
  return {id: 'lint', args: [file, ...argumentsOf(recipe, more, known, 'lint'), ...more]}
}

function flagOf({id, args}: Line, known: Known, environment: Environment): Line {
  const {value = '', rest} = takeFlag(args, 'recipe')
  const {recipe, more} = take(value, rest, known, environment)
  if (id !== 'lint' && id !== toId(recipe.command)) {
    const hint = `Run it with: ${commandLine('import', [recipe.name, 'FILE'])}`
    throw usage(`Recipe ${recipe.name} is for ${recipe.command}, not for ${toCommandName(id)}.`, hint)
  }
  return {id, args: [...argumentsOf(recipe, more, known, id), ...more]}
}

/** The recipe, and the other arguments without `--jobs-file`. */
function take(name: string, args: readonly string[], known: Known, environment: Environment) {
  const {value: path, rest} = takeFlag(args, 'jobs-file')
  const recipe = findRecipe(name, readJobsText(path ?? environment['VENDORCTL_JOBS_FILE'], environment, known))
  return {recipe, more: rest}
}

/**
 * The flags of a recipe as arguments: those that the command has and the line does not give; `lint` gets the operation.
 */
function argumentsOf({name, command, flags}: Recipe, more: readonly string[], known: Known, id: string): string[] {
  const facts = known[id]?.flags ?? {}
  const isGiven = (flag: string) => more.some((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`))
  const added = Object.entries(flags).filter(([flag]) => facts[flag] && (facts[flag].multiple || !isGiven(flag)))
  const place = {line: 1, column: 1}
  const args = added.flatMap(([flag, value]) => flagArguments({name: flag, value, place, isVariable: false}))
  return [...(id === 'lint' ? [`--operation=${command.replaceAll(' ', '.')}`] : []), `--recipe=${name}`, ...args]
}

async function noRecipe(file: string, known: Known): Promise<CliFailure> {
  const writes = Object.entries(known).filter(([, facts]) => takesFile(facts))
  const all = writes.map(([id]) => toCommandName(id))
  const {findFitting} = await import('../../runs/check/header-fit.js')
  const fitting = await findFitting(file, all).catch((error: unknown) => {
    if (error instanceof CliFailure) return [] // a file that cannot be read fits nothing
    throw error
  })
  const names = fitting.length > 0 ? fitting : all
  const which = fitting.length > 0 ? 'take a file with such columns' : 'take a file'
  return usage(
    `Name a recipe before the file: ${commandLine('import', ['NAME', file])}.`,
    'See the recipes with: vendorctl import list',
    `Without one, these ${which}: ${names.join(', ')}; such as: ${commandLine(names[0] ?? '', [], {file, 'dry-run': true})}`,
  )
}
