import {existsSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import {shellWord} from '../../core/command-line.js'
import {usage} from '../../core/errors.js'
import {findMade, removeFiles, writeMade} from './made-file.js'
import {headOf, type SetupFile, sayTime, type TimeInUtc, toUtc} from './schedule.js'
import type {Outcome, Scheduler, Subject} from './scheduler.js'

const folder = join('.github', 'workflows')

/** GitHub Actions: a workflow in the repository around the current folder. */
export const github: Scheduler = {
  show(subject) {
    const root = findRepository()
    const {name, text} = toWorkflow(subject, root)
    const save = `Save it as ${join(folder, name)}, or have it written: ${subject.schedule.madeBy} --install`
    return {text, advice: [save, ...steps(subject, root)]}
  },

  install(subject): Outcome {
    const root = repository()
    const workflow = toWorkflow(subject, root)
    const written = writeMade(join(root, folder), subject.schedule.name, [workflow])
    const where = join(root, folder, workflow.name)
    return {...written, where, advice: ['Commit and push it.', ...steps(subject, root)]}
  },

  remove(name): Outcome {
    const [file, root] = [`vendorctl-${name}.yml`, repository()]
    const found = findMade(join(root, folder), name, [file])
    removeFiles(found)
    const where = join(root, folder, file)
    return {
      did: found.length > 0 ? 'removed' : 'absent',
      where,
      advice: found.length > 0 ? ['Commit and push the removal.'] : [],
    }
  },
}

function toWorkflow(subject: Subject, root: string | undefined) {
  const {schedule, zone, now, version, profile, variables, output} = subject
  const {name, at, madeBy} = schedule
  const jobsFile = pathInRepository(subject.jobsFile, root) ?? 'jobs.yaml'
  return renderWorkflow({name, madeBy, version, profile, variables, output, zone, jobsFile, time: toUtc(at, zone, now)})
}

function steps({schedule, zone, now, jobsFile, variables, output}: Subject, root: string | undefined): string[] {
  const [secrets, others] = [
    secretNames(variables).join(', '),
    'VENDORCTL_BASE_URL, VENDORCTL_STAGE, VENDORCTL_USERNAME',
  ]
  const target = join(root ?? '.', 'jobs.yaml')
  const isInside = pathInRepository(jobsFile, root) !== undefined
  const outside = output !== undefined && isAbsolute(output)
  return [
    ...(outside
      ? [
          `notice: output-file is ${output}; on the machine of a workflow, write into the repository: out/${basename(output)}`,
        ]
      : []),
    sayUtc({zone, time: toUtc(schedule.at, zone, now)}),
    ...(isInside
      ? []
      : [`The workflow reads jobs.yaml of the repository: cp ${shellWord(jobsFile)} ${shellWord(target)}`]),
    `Set in the repository: secrets ${secrets} (gh secret set NAME), variables ${others} (gh variable set NAME).`,
    'The marks of --since-last are kept in the cache of the repository. A cache unused for 7 days is deleted; the next run then starts at the start of the job again.',
    ...(output === undefined
      ? []
      : ['Files are artifacts of the run, which GitHub deletes after 90 days; deliver keeps them elsewhere.']),
  ]
}

function pathInRepository(file: string, root: string | undefined): string | undefined {
  if (root === undefined) return undefined
  const path = relative(root, file)
  return path.startsWith('..') || resolve(path) === path ? undefined : path.replaceAll(sep, '/')
}

function repository(): string {
  const root = findRepository()
  if (root !== undefined) return root
  throw usage(
    'This folder is in no Git repository.',
    'Change to the repository that is to run the job, then run this again.',
  )
}

function findRepository(): string | undefined {
  let at = process.cwd()
  while (!existsSync(join(at, '.git'))) {
    if (dirname(at) === at) return undefined
    at = dirname(at)
  }
  return at
}

/** What a workflow of GitHub Actions needs to know of a job. */
export type WorkflowFacts = {
  name: string
  time: TimeInUtc
  zone: string
  /** Of the program, such as 0.1.0. */
  version: string
  /** Path of the jobs file in the repository. */
  jobsFile: string
  profile: string | undefined
  /** Names of the variables that the jobs file mentions. */
  variables: readonly string[]
  /** Path of the file that the job writes, which may hold `{date}`. */
  output: string | undefined
  madeBy: string
}

/** The variables that the program needs on a machine without a profile; those of the second list are secrets. */
const settings = ['VENDORCTL_BASE_URL', 'VENDORCTL_STAGE', 'VENDORCTL_USERNAME'] as const
const secrets = ['VENDORCTL_API_KEY', 'VENDORCTL_PASSWORD'] as const

/** Actions by their commits, which nobody can move to other code, as tags can be. */
export const actions = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  setupNode: 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  restore: 'actions/cache/restore@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
  save: 'actions/cache/save@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
  upload: 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0',
} as const

/**
 * A workflow that runs a job every day. Its machine is new each time: the marks of `--since-last`, the count of requests
 * and what an interrupted file needs are kept in a cache, tokens are not.
 */
export function renderWorkflow(facts: WorkflowFacts): SetupFile {
  const {name, version, jobsFile, profile} = facts
  const run = (command: string) => `      - run: ${quote(command)}\n`
  const text = `${headOf(facts)}# ${sayUtc(facts)}
name: vendorctl ${name}
on:
  schedule:
    - cron: ${quote(`${facts.time.utc.minute} ${facts.time.utc.hour} * * *`)}
  workflow_dispatch: {}
permissions:
  contents: read
concurrency:
  group: vendorctl-${name}
  cancel-in-progress: false
jobs:
  run:
    runs-on: ubuntu-latest
    env:
${settings.map((name) => renderVariable(name, 'vars', '      ')).join('')}    steps:
      - uses: ${actions.checkout}
      - uses: ${actions.setupNode}
        with:
          node-version: 24
${run(`npm install -g --ignore-scripts vendorctl@${version}`)}      - uses: ${actions.restore}
        with:
${renderCache(facts)}          restore-keys: ${quote(cachePrefix(name))}
${makeFolder(facts)}${profile === undefined ? '' : run(`vendorctl profiles set ${literal(shellWord(profile))} "baseUrl=$VENDORCTL_BASE_URL"`)}${run(`vendorctl jobs run ${name} --jobs-file ${literal(shellWord(jobsFile))}`)}${renderSecrets(facts)}      - if: always()
        uses: ${actions.save}
        with:
${renderCache(facts)}${renderUpload(facts)}`
  return {name: `vendorctl-${name}.yml`, text}
}

/** When a workflow runs, and what clocks show then. */
function sayUtc({time, zone}: Pick<WorkflowFacts, 'time' | 'zone'>): string {
  const [local, summer] = time.local.map(sayTime)
  const there = `${local} in ${zone}${summer === undefined ? '' : `, and ${summer} in summer time`}`
  return `Every day at ${sayTime(time.utc)} UTC${zone === 'UTC' ? '' : `: ${there}`}.`
}

/** Of the one step that runs the job. */
function renderSecrets({variables}: WorkflowFacts): string {
  const lines = secretNames(variables).map((name) => renderVariable(name, 'secrets', '          '))
  return `        env:\n${lines.join('')}`
}

function renderVariable(name: string, from: 'vars' | 'secrets', indent: string): string {
  return `${indent}${name}: \${{ ${from}.${name} }}\n`
}

/** The names of the secrets that a repository needs: those of the login, and the variables that the jobs file mentions. */
function secretNames(variables: readonly string[]): string[] {
  return [...secrets, ...variables.filter((name) => ![...settings, ...secrets].some((own) => own === name))]
}

/** Marks, checkpoints and the count of requests; never the folders of tokens, because others may read a cache. */
function renderCache({name, output}: WorkflowFacts): string {
  const state = ['exports.db*', 'exports', 'ledgers'].map((each) => `~/.local/state/vendorctl/${each}`)
  const paths = [...state, ...(output === undefined ? [] : [`${globOf(output)}*.part`])]
  return `          path: |
${paths.map((path) => `            ${path}\n`).join('')}          key: ${quote(`${cachePrefix(name)}\${{ github.run_id }}-\${{ github.run_attempt }}`)}
`
}

/** Ends in a letter that no name holds, so that a job does not get the cache of one whose name is longer. */
function cachePrefix(name: string): string {
  return `vendorctl ${name}/`
}

function renderUpload({name, output}: WorkflowFacts): string {
  if (output === undefined) return ''
  return `      - if: always()
        uses: ${actions.upload}
        with:
          name: ${name}
          path: |
            ${globOf(output)}
            ${globOf(output)}.manifest.json
          if-no-files-found: ignore
`
}

/** A step that makes the folder of the file, of which Git keeps nothing while it is empty. */
function makeFolder({output = ''}: WorkflowFacts): string {
  const [folder = ''] = /^[^{}]+(?=\/)/.exec(output) ?? []
  return folder === '' ? '' : `      - run: ${quote(literal(`mkdir -p ${shellWord(folder)}`))}\n`
}

/** The path of a file with what fits every date for its placeholders. */
function globOf(path: string): string {
  return literal(path.replace(/^\$\{HOME\}/, '~').replace(/\$?\{\w+\}/g, '*'))
}

/** A text of YAML. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/** A text that is no expression of GitHub, whatever is in it. */
function literal(text: string): string {
  return text.replaceAll('${{', `\${{ '\${{' }}`)
}
