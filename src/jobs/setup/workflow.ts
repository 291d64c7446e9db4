import {shellWord} from '../../core/command-line.js'
import {headOf, type SetupFile} from './schedule.js'
import {sayTime, type TimeInUtc} from './time-of-day.js'

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

/**
 * A workflow that runs a job every day. Its machine is new each time: the marks of `--since-last`, the count of requests
 * and what an interrupted file needs are kept in a cache, tokens are not.
 */
export function renderWorkflow(facts: WorkflowFacts): SetupFile {
  const {name, version, jobsFile, profile} = facts
  const run = (command: string) => `      - run: ${quote(command)}\n`
  const [major, minor] = version.split('.')
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
${renderVariables(facts)}    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
${run(`npm install -g vendorctl@${major}.${minor}`)}      - uses: actions/cache/restore@v4
        with:
${renderCache(facts)}          restore-keys: ${quote(cachePrefix(name))}
${makeFolder(facts)}${profile === undefined ? '' : run(`vendorctl profiles set ${literal(shellWord(profile))} "baseUrl=$VENDORCTL_BASE_URL"`)}${run(`vendorctl jobs run ${name} --jobs-file ${literal(shellWord(jobsFile))}`)}      - if: always()
        uses: actions/cache/save@v4
        with:
${renderCache(facts)}${renderUpload(facts)}`
  return {name: `vendorctl-${name}.yml`, text}
}

/** When a workflow runs, and what clocks show then. */
export function sayUtc({time, zone}: Pick<WorkflowFacts, 'time' | 'zone'>): string {
  const [local, summer] = time.local.map(sayTime)
  const there = `${local} in ${zone}${summer === undefined ? '' : `, and ${summer} in summer time`}`
  return `Every day at ${sayTime(time.utc)} UTC${zone === 'UTC' ? '' : `: ${there}`}.`
}

function renderVariables({variables}: WorkflowFacts): string {
  const line = (name: string, from: string) => `      ${name}: \${{ ${from}.${name} }}\n`
  return [
    ...settings.map((name) => line(name, 'vars')),
    ...secretNames(variables).map((name) => line(name, 'secrets')),
  ].join('')
}

/** The names of the secrets that a repository needs: those of the login, and the variables that the jobs file mentions. */
export function secretNames(variables: readonly string[]): string[] {
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
        uses: actions/upload-artifact@v5
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
  return path.replace(/^\$\{HOME\}/, '~').replace(/\$?\{\w+\}/g, '*')
}

/** A text of YAML. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/** A text that is no expression of GitHub, whatever is in it. */
function literal(text: string): string {
  return text.replaceAll('${{', `\${{ '\${{' }}`)
}
