import {type CommandFacts, type FlagFacts, toCommandName} from '../../values/command-facts.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {asksFirst, filePlaceholders, whyRefused} from './check-command.js'
import {flagsOfKeys, type KnownCommands} from './job.js'
import {jobName, notInRecipe, takesFile, wordsOfImport} from './read-jobs.js'

const text = {type: ['string', 'number'], minLength: 1}
const texts = {anyOf: [text, {type: 'array', items: text, minItems: 1}]}
const name = {type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$'}
const names = {anyOf: [name, {type: 'array', items: name, minItems: 1}]}
/** `${NAME}`, which any value may be. */
const variable = {type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}'}
const ownFlags: readonly string[] = [...flagsOfKeys, 'notify-url', 'notify-command']

/** The schema of the jobs file, for editors: it accepts every file that is read without a problem. */
export function toJobsSchema(known: KnownCommands): JsonRecord {
  const commands = Object.entries(known).filter(([id]) => whyRefused(id) === undefined)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:vendorctl:jobs:1',
    title: 'The jobs file of vendorctl',
    description: 'Commands under a name, to run unattended: vendorctl jobs run NAME.',
    type: 'object',
    anyOf: [{required: ['jobs']}, {required: ['recipes']}],
    additionalProperties: false,
    properties: {
      jobs: {
        type: 'object',
        description: 'The jobs, each under its name: letters, digits, ".", "_" and "-".',
        propertyNames: {pattern: jobName.source},
        additionalProperties: {$ref: '#/$defs/job'},
      },
      recipes: {
        type: 'object',
        description: 'Flags of writes from files, each under its name: vendorctl import NAME FILE.',
        propertyNames: {pattern: jobName.source, not: {enum: [...wordsOfImport]}},
        additionalProperties: {$ref: '#/$defs/recipe'},
      },
    },
    $defs: {job: toJob(commands), recipe: toRecipe(commands), flags: toFlags(commands)},
  }
}

function toJob(commands: [string, CommandFacts][]): JsonRecord {
  const needsFile = {
    required: ['flags'],
    type: 'object',
    properties: {flags: {type: 'object', required: ['output-file'], properties: {'output-file': {not: {const: '-'}}}}},
  }
  const about = {
    command: 'The command as it is typed after vendorctl, without its flags.',
    args: 'The arguments of the command, such as the file of reports summary.',
    profile: 'The profile to use.',
    deliver:
      'A command that takes the complete file elsewhere, run without a shell: a text, or a list of its words. {file}, {manifest} and {name} are filled in.',
    notify: 'Who hears that the job starts, succeeds or fails.',
    url: 'As healthchecks takes it: URL/start, URL on success, URL/EXITCODE on failure.',
    notifyCommand: 'A command that gets the report as JSON on its standard input: a text, or a list of its words.',
    'keep-for': 'Remove delivered files that are older, e.g. 90d. Needs deliver.',
    'skip-empty': 'Write no file without rows.',
    env: 'Variables that the commands of deliver and notify get though they may be secrets.',
  }
  return {
    type: 'object',
    required: ['command'],
    additionalProperties: false,
    properties: {
      command: {
        oneOf: commands.map(([id, {summary = ''}]) => ({const: toCommandName(id), description: summary})),
        description: about.command,
      },
      args: {...texts, description: about.args},
      flags: {$ref: '#/$defs/flags'},
      profile: {...text, description: about.profile},
      deliver: {...texts, description: about.deliver},
      notify: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        description: about.notify,
        properties: {url: {...text, description: about.url}, command: {...texts, description: about.notifyCommand}},
      },
      'keep-for': {type: 'string', pattern: '^\\s*[0-9]{1,6}[smhdSMHD]\\s*$', description: about['keep-for']},
      'skip-empty': {type: 'boolean', description: about['skip-empty']},
      env: {...names, description: about.env},
    },
    dependentRequired: {'keep-for': ['deliver']},
    dependentSchemas: {deliver: needsFile, 'skip-empty': needsFile},
    allOf: commands.map(([id, facts]) => ({
      anyOf: [{type: 'object', properties: {command: {not: {const: toCommandName(id)}}}}, toRest(facts)],
    })),
  }
}

function toRecipe(commands: [string, CommandFacts][]): JsonRecord {
  const writes = commands.filter(([, facts]) => takesFile(facts))
  return {
    type: 'object',
    required: ['command'],
    additionalProperties: false,
    properties: {
      command: {enum: writes.map(([id]) => toCommandName(id)), description: 'A write that takes a file.'},
      flags: {type: 'object', $ref: '#/$defs/flags', propertyNames: {not: {enum: [...notInRecipe]}}},
    },
  }
}

/** Keys that the flags of a command permit in its job. */
function toRest({flags = {}}: CommandFacts): JsonRecord {
  const all = Object.entries(flags).flatMap(([name, {aliases = []}]) => [name, ...aliases])
  const names = all.filter((name) => !ownFlags.includes(name))
  const missing = flagsOfKeys.filter((key) => !Object.hasOwn(flags, key)).map((key) => [key, false] as const)
  const allowed: JsonRecord = {
    type: 'object',
    ...(names.length > 0 ? {propertyNames: {enum: names}} : {maxProperties: 0}),
  }
  const is = (name: string) => ({type: 'object', required: [name], properties: {[name]: {const: true}}})
  const confirmed: JsonRecord = {anyOf: [is('yes'), is('dry-run'), {type: 'object', required: ['confirm']}]}
  const asks = asksFirst({flags})
  return {
    type: 'object',
    properties: {flags: asks ? {...allowed, ...confirmed} : allowed, ...Object.fromEntries(missing)},
    ...(asks && {required: ['flags']}),
  }
}

/** Every flag of any command, with what help says of it. */
function toFlags(commands: [string, CommandFacts][]): JsonRecord {
  const properties: JsonRecord = {}
  const all = commands.flatMap(([, {flags = {}}]) => Object.entries(flags))
  for (const [name, facts] of all.filter(([one]) => !ownFlags.includes(one))) {
    for (const one of [name, ...(facts.aliases ?? [])]) properties[one] = join(properties[one], toFlag(facts, one))
  }
  return {
    type: 'object',
    additionalProperties: false,
    description: 'Flags of the command, without the hyphens.',
    properties,
  }
}

function toFlag({type, options, multiple, description = ''}: FlagFacts, name: string): JsonRecord {
  const about = name === 'output-file' ? `${description} ${describePlaceholders()}` : description
  if (type === 'boolean') return {anyOf: [{type: 'boolean'}], description: about}
  const value: JsonRecord = options ? {anyOf: [{enum: [...options]}, variable]} : text
  return {anyOf: multiple ? [value, {type: 'array', items: value, minItems: 1}] : [value], description: about}
}

function describePlaceholders(): string {
  return `Filled in: ${filePlaceholders.map((name) => `{${name}}`).join(', ')}.`
}

/** The schema of a flag that several commands have: it accepts what any of them accepts. */
function join(one: JsonValue | undefined, other: JsonRecord): JsonRecord {
  if (one === undefined) return other
  const {anyOf: first = [], ...rest} = one as JsonRecord
  const {anyOf: second = []} = other
  const both = [...(first as JsonValue[]), ...(second as JsonValue[])]
  return {...rest, anyOf: [...new Map(both.map((each) => [JSON.stringify(each), each])).values()]}
}
