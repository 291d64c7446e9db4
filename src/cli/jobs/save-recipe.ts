import {join} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {usage} from '../../core/errors.js'
import {configFolder} from '../../core/folders.js'
import {underLock} from '../../core/lock.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {findRecipe} from '../../jobs/file/find-jobs.js'
import {isRecipeName, takesFile, toRecipeFlags} from '../../jobs/file/read-jobs.js'
import {addRecipe} from '../../jobs/file/yaml-entries.js'
import type {CommandContext} from '../app/command-context.js'
import {readJobsText} from './jobs-file.js'
import type {SaveFlags} from './jobs-flags.js'

/** Saving takes a moment; a longer wait is for a process that hangs. */
const patience = {milliseconds: 30_000, onNetworkToo: true}

/** Writes a command with its flags into the jobs file, whose comments stay. Throws `usage` for a command that is wrong. */
export async function saveRecipe(
  name: string,
  args: readonly string[],
  flags: SaveFlags,
  {commands, environment, messages, present}: CommandContext,
): Promise<void> {
  if (!isRecipeName(name))
    throw usage(`"${name}" is no name of a recipe.`, 'Letters, digits, ".", "_" and "-"; not list, check or save.')
  const known = await commands.known()
  const given = args[0] === 'vendorctl' ? args.slice(1) : args
  const count = given.findIndex((arg) => arg.startsWith('-'))
  const named = count === -1 ? given : given.slice(0, count)
  const command = named.join(' ')
  const facts = known[named.join(':')]
  if (!facts || !takesFile(facts))
    throw usage(
      command === '' ? 'No command is given to save.' : `"${command}" is no write from a file.`,
      `Such as: ${commandLine('import save', [name])} -- sites update --map 'Name=name'`,
    )
  const rest = given.slice(named.length)
  const wrong = await commands.check(named.join(':'), [
    ...rest,
    ...(rest.some((arg) => /^(-f|--file|--apply-plan)/.test(arg)) ? [] : ['--file=-']),
  ])
  if (wrong) throw wrong.failure
  const {flags: kept, left} = toRecipeFlags(rest, facts.flags ?? {})
  const recipe = {command, flags: kept}

  const path = flags['jobs-file'] ?? join(configFolder(environment), 'jobs.yaml')
  await underLock(join(configFolder(environment), 'jobs.lock'), 'The lock of the jobs file', patience, () => {
    const text = readPrivateFile(path, 'settings') ?? ''
    const changed = addRecipe(text, name, recipe, flags.overwrite === true)
    if (changed === 'there')
      throw usage(`${path} has a recipe ${name} already.`, 'Replace it with --overwrite, or choose another name.')
    if (changed !== undefined) writePrivateFile(path, changed)
  })
  findRecipe(name, readJobsText(path, environment, known))
  const profile = left['profile']?.toString()
  const use = commandLine('import', [name, 'FILE'], {'dry-run': true, profile, 'jobs-file': flags['jobs-file']})
  messages.note(`Saved recipe ${name} in ${path}. Use it with: ${use}`)
  const omitted = Object.keys(left).map((one) => `--${one}`)
  if (omitted.length > 0) messages.note(`Not kept: ${omitted.join(', ')}; give them with each import.`)
  await present({data: {name, ...recipe}})
}

/** Refuses an import with flags before its file. */
export function refuseOrder(): never {
  throw usage('Name the recipe and the file first, then flags.', 'Such as: vendorctl import prices book.xlsx --dry-run')
}
