import {type OperationId, operationIds, operationOf, type SuggestedCommands} from '../../contract/index.js'
import {toCommandName} from '../../values/command-facts.js'
import {type GuideName, guides} from './facts.js'

const whatCodesMean = {'explain CODE': 'what an error code or an exit code means'}
const whatRunDid = {'runs show latest': 'what the last run did, row by row'}
const resumeRun = {'runs resume': 'resume a run that was stopped or interrupted'}
const undoRun = {'runs undo latest': 'undo the changes'}
const whatIsWrong = {doctor: 'find out what is wrong between here and the service'}

/** The guide that explains a command, by its id: the first that fits. */
const guidesOf: readonly (readonly [command: RegExp, guide: GuideName])[] = [
  [/^lint$/, 'importing'],
  [/^(reports|exports):|^organizations:tree|:list$(?<!^(profiles|runs):list)/, 'exporting'],
  [/^runs:/, 'recovery'],
  [/^(auth|profiles):/, 'environment'],
  [/^(quota|api|doctor)/, 'requests'],
  [/^jobs:/, 'scheduling'],
]

/** The next steps after commands that are no operations, by their ids. */
const steps: Readonly<Record<string, SuggestedCommands>> = {
  api: {'contract show': 'the operations of the service', 'auth status': 'which key and token are used'},
  doctor: {'profiles show --origin': 'where each setting comes from', 'auth login': 'log in again'},
  explain: {'contract show': 'the operations of the service and their refusal codes'},
  'exports:list': {'exports show NAME': 'one name in detail'},
  'exports:reset': {'exports show NAME': 'where the next run begins'},
  'exports:share': {'exports show NAME': 'where the next run begins, on whatever machine'},
  'exports:show': {
    'reports transactions --since-last NAME': 'read on',
    'exports reset NAME --to DATE': 'read again from a date on',
  },
  lint: {
    'contract show OPERATION': 'the fields of a file',
    'sites create --file FILE': 'send the file, e.g. to create sites',
  },
  quota: {
    'runs list': 'the runs that used the requests',
    'reports transactions --estimate': 'what an export would need',
  },
  sync: {
    "sql 'select * from open_alerts' --db FILE": 'ask the database',
    'help database': 'its tables and views, with queries',
  },
  sql: {
    'sql - --db FILE < QUERY.sql': 'a query of several lines',
    'help formats': 'how each format keeps digits, times and empty values',
  },
  'auth:login': {
    'auth test': 'check the key with the service',
    'profiles use NAME': 'make the profile the current one',
  },
  'auth:logout': {'auth status': 'what is still stored'},
  'auth:status': {'auth test': 'check the key with the service', 'auth login': 'log in again'},
  'auth:test': {...whatIsWrong, 'auth login': 'log in with another key'},
  'contract:show': {'lint FILE --operation OPERATION': 'check a file as a write would, offline', ...whatCodesMean},
  'jobs:check': {'jobs run NAME': 'run one of them', 'jobs setup cron NAME --at 02:10': 'have it run every night'},
  'jobs:list': {'jobs run NAME': 'run one of them', 'jobs check': 'find everything that is wrong in the file'},
  'jobs:run': {'jobs list': 'the jobs of the file', 'runs list': 'what they wrote and exported'},
  'jobs:setup': {'jobs run NAME': 'run it once, now', 'jobs list': 'the jobs of the file'},
  'organizations:tree': {
    'sites list --account ID': 'the sites of an account',
    'machines list --site ID': 'the machines of a site',
  },
  'profiles:list': {'profiles show NAME --origin': 'the settings of a profile and their origin'},
  'profiles:remove': {'profiles list': 'what is left'},
  'profiles:set': {'auth login --profile NAME': 'log in for it', 'profiles use NAME': 'make it the current one'},
  'profiles:show': {'profiles set NAME KEY=VALUE': 'change a setting', ...whatIsWrong},
  'profiles:use': {'profiles show --origin': 'the settings that now apply'},
  'reports:changes': {'reports verify FILE': 'check the file itself'},
  'reports:coverage': {
    'reports transactions': 'read any range',
    'reports inventory': 'the same of changes of stock',
    'runs list': 'the exports of this machine',
  },
  'reports:summary': {'reports transactions': 'the records behind the sums'},
  'reports:verify': {'reports changes FILE': 'which records changed since'},
  'runs:list': {'runs show ID': 'what a run did', ...resumeRun},
  'runs:reconcile': {...resumeRun, ...whatRunDid, ...whatCodesMean},
  'runs:remove': {'runs list': 'what is left'},
  'runs:results': whatRunDid,
  'runs:resume': {
    ...whatRunDid,
    'runs reconcile ID': 'resolve rows in doubt without sending the rest',
    ...whatCodesMean,
  },
  'runs:show': {
    'runs results ID': 'every row with its fate',
    ...resumeRun,
    'runs undo ID --dry-run': 'what can be undone',
  },
  'runs:undo': {...whatRunDid, ...whatCodesMean},
  'sandbox:start': {
    'machines list -p sandbox': 'the first read',
    'sandbox status': 'its address and requests',
    'sandbox faults set FAULT': 'make chosen requests misbehave',
    'sandbox log --follow': 'each request as it comes',
    'sandbox stop': 'stop it',
  },
  'sandbox:status': {'sandbox faults': 'the faults that are set', 'sandbox log': 'the last requests'},
  'sandbox:log': {'sandbox log ID': 'all that is known of a request', 'sandbox reset': 'forget the requests'},
  'sandbox:clock': {'sandbox status': 'its time and the requests of its day'},
  'sandbox:stop': {'sandbox start --detach': 'start another'},
  'sandbox:reset': {'sandbox status': 'what it contains now'},
  'sandbox:faults': {
    'sandbox faults set FAULT': 'make chosen requests misbehave',
    'sandbox faults clear': 'clear all faults',
  },
  'sandbox:faults:clear': {'sandbox faults': 'check that none is left'},
  'sandbox:faults:set': {'sandbox faults': 'how often each fired', 'sandbox faults clear': 'clear all faults'},
}

/** The commands to give after a command, and why; `explain` where none are known. */
export function nextStepsOf(id: string): [command: string, about: string][] {
  const operation = operationIds.find((one) => operationOf(one).command === toCommandName(id))
  const own = steps[id] ?? (operation && stepsOfOperation(operation)) ?? whatCodesMean
  const isWrite = operation !== undefined && operationOf(operation).kind === 'write'
  const guide = isWrite ? 'importing' : guidesOf.find(([command]) => command.test(id))?.[1]
  return Object.entries({...(guide && {[`help ${guide}`]: guides[guide]}), ...own})
}

function stepsOfOperation(id: OperationId): SuggestedCommands | undefined {
  const operation = operationOf(id)
  if (operation.kind === 'session') return undefined
  if (operation.kind === 'read') return operation.next
  const {body, undo, next} = operation
  const ofRun = {...whatRunDid, ...resumeRun, ...whatCodesMean, ...('by' in undo && undoRun)}
  return {...(body !== 'none' && fileSteps(id)), ...next, ...ofRun}
}

function fileSteps(id: OperationId): SuggestedCommands {
  return {
    [`contract show ${id}`]: 'the fields; --format csv-template prints a file to fill in',
    [`lint FILE --operation ${id}`]: 'check the file offline',
  }
}

export const stepIds: readonly string[] = Object.keys(steps)
