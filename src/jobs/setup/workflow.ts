import {existsSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import {shellQuote} from '../../core/command-line.js'
import {usage} from '../../core/errors.js'
import {sayTime, toUtc} from './schedule.js'
import {
  fill,
  findMade,
  headOf,
  removeFiles,
  type Scheduler,
  type SetupFile,
  type Subject,
  writeMade,
} from './scheduler.js'

const folder = join('.github', 'workflows')
const fileOf = (job: string) => `vendorctl-${job}.yml`

/** GitHub Actions: a workflow in the repository around the current folder. */
export const github: Scheduler = {
  show(subject) {
    const root = findRepository()
    const {name, text} = renderWorkflow(subject, root)
    const save = `Save it as ${join(folder, name)}, or have it written: ${subject.madeBy} --install`
    return {text, advice: [save, ...steps(subject, root)]}
  },

  install(subject) {
    const root = repository()
    const workflow = renderWorkflow(subject, root)
    const written = writeMade(join(root, folder), subject.name, [workflow])
    const where = join(root, folder, workflow.name)
    return {...written, where, advice: ['Commit and push it.', ...steps(subject, root)]}
  },

  remove(name) {
    const root = repository()
    const found = findMade(join(root, folder), name, [fileOf(name)])
    removeFiles(found)
    const where = join(root, folder, fileOf(name))
    return found.length > 0
      ? {did: 'removed', where, advice: ['Commit and push the removal.']}
      : {did: 'absent', where, advice: []}
  },
}

function steps(subject: Subject, root: string | undefined): string[] {
  const {jobsFile, variables, output} = subject
  const others = 'VENDORCTL_BASE_URL, VENDORCTL_STAGE, VENDORCTL_USERNAME'
  const target = join(root ?? '.', 'jobs.yaml')
  const outside =
    output !== undefined &&
    isAbsolute(output) &&
    `notice: output-file is ${output}; on the machine of a workflow, write into the repository: out/${basename(output)}`
  return [
    outside,
    sayUtc(subject),
    pathInRepository(jobsFile, root) === undefined &&
      `The workflow reads jobs.yaml of the repository: cp ${shellQuote(jobsFile)} ${shellQuote(target)}`,
    `Set in the repository: secrets ${secretNames(variables).join(', ')} (gh secret set NAME), variables ${others} (gh variable set NAME).`,
    'The marks of --since-last are kept in the cache of the repository. A cache unused for 7 days is deleted; the next run then starts at the start of the job again.',
    output !== undefined &&
      'Files are artifacts of the run, which GitHub deletes after 90 days; deliver keeps them elsewhere.',
  ].filter((step) => step !== false)
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

const workflow = `{{head}}
# {{when}}
name: vendorctl {{name}}
on:
  schedule:
    - cron: {{cron}}
  workflow_dispatch: {}
permissions:
  contents: read
concurrency:
  group: vendorctl-{{name}}
  cancel-in-progress: false
jobs:
  run:
    runs-on: ubuntu-latest
    env:
      {{settings}}
    steps:
      - uses: ${actions.checkout}
      - uses: ${actions.setupNode}
        with:
          node-version: 24
      {{install}}
      - uses: ${actions.restore}
        with:
          path: |
            {{kept}}
          key: {{key}}
          restore-keys: {{anyKey}}
      {{folder}}
      {{profile}}
      {{run}}
        env:
          {{secrets}}
      - if: always()
        uses: ${actions.save}
        with:
          path: |
            {{kept}}
          key: {{key}}
      {{upload}}
`

const upload = `- if: always()
  uses: ${actions.upload}
  with:
    name: {{name}}
    path: |
      {{files}}
      {{files}}.manifest.json
    if-no-files-found: ignore
`

/**
 * A workflow that runs a job every day. Its machine is new each time: the marks of `--since-last`, the count of requests
 * and what an interrupted file needs are kept in a cache, which others may read, so tokens are not.
 */
export function renderWorkflow(subject: Subject, root: string | undefined): SetupFile {
  const {name, version, profile, variables, output} = subject
  const {utc} = toUtc(subject.at, subject.zone, subject.now)
  const jobsFile = pathInRepository(subject.jobsFile, root) ?? 'jobs.yaml'
  const files = output === undefined ? '' : literal(output.replace(/^\$\{HOME\}/, '~').replace(/\$?\{\w+\}/g, '*'))
  const [, inHome = '', outputFolder] = /^(\$\{HOME\}\/)?([^{}$]+)\//.exec(output ?? '') ?? []
  const state = ['exports.db*', 'exports', 'ledgers'].map((each) => `~/.local/state/vendorctl/${each}`)
  const cache = `vendorctl ${name}/` // ends in a letter that no name contains, so that no job gets the cache of a longer name
  const variableLines = (names: readonly string[], from: string) =>
    names.map((each) => `${each}: \${{ ${from}.${each} }}`)
  return {
    name: fileOf(name),
    text: fill(workflow, {
      ...{name, head: headOf(subject), when: sayUtc(subject), cron: quote(`${utc.minute} ${utc.hour} * * *`)},
      settings: variableLines(settings, 'vars'),
      install: toStep(`npm install -g --ignore-scripts vendorctl@${version}`),
      kept: [...state, ...(files === '' ? [] : [`${files}*.part`])],
      key: quote(`${cache}\${{ github.run_id }}-\${{ github.run_attempt }}`),
      anyKey: quote(cache),
      folder: outputFolder === undefined ? '' : toStep(`mkdir -p ${inHome && '"$HOME"/'}${word(outputFolder)}`),
      profile:
        profile === undefined ? '' : toStep(`vendorctl profiles set ${word(profile)} "baseUrl=$VENDORCTL_BASE_URL"`),
      run: toStep(`vendorctl jobs run ${name} --jobs-file ${word(jobsFile)}`),
      secrets: variableLines(secretNames(variables), 'secrets'),
      upload: files === '' ? '' : fill(upload, {name, files}),
    }),
  }
}

/** A sentence on the time, in UTC, at which a workflow runs, and on what clocks show then. */
function sayUtc({at, zone, now}: Subject): string {
  const {utc, local: all} = toUtc(at, zone, now)
  const [local, summer] = all.map(sayTime)
  const there = `${local} in ${zone}${summer === undefined ? '' : `, and ${summer} in summer time`}`
  return `Every day at ${sayTime(utc)} UTC${zone === 'UTC' ? '' : `: ${there}`}.`
}

/** The names of the secrets that a repository needs: those of the login, and the variables that the jobs file mentions. */
function secretNames(variables: readonly string[]): string[] {
  return [...secrets, ...variables.filter((name) => ![...settings, ...secrets].some((own) => own === name))]
}

function toStep(command: string): string {
  return `- run: ${quote(command)}`
}

/** A text of YAML. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/** An argument of a shell, and no expression of GitHub. */
function word(text: string): string {
  return literal(shellQuote(text))
}

/** A text that is no expression of GitHub, whatever is in it. */
function literal(text: string): string {
  return text.replaceAll('${{', `\${{ '\${{' }}`)
}
