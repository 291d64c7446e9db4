import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import type {Subject} from '../../../src/jobs/setup/scheduler.js'
import {actions, renderWorkflow} from '../../../src/jobs/setup/workflow.js'

type Step = {uses?: string; run?: string; env?: Record<string, string>; if?: string; with?: Record<string, string>}
type Workflow = {
  on: {schedule: {cron: string}[]}
  permissions: Record<string, string>
  jobs: {run: {env: Record<string, string>; steps: Step[]}}
}

const now = Date.UTC(2026, 10, 22)
const subject: Subject = {
  ...{program: [], environment: {}, image: '', writes: false, delivers: false, relative: [], now, shell: {}},
  name: 'nightly',
  at: {hour: 0, minute: 30},
  zone: 'Europe/Berlin',
  version: '0.1.0',
  jobsFile: '/repository/ops/jobs.yaml',
  profile: undefined,
  variables: [],
  output: undefined,
  madeBy: 'vendorctl jobs setup github nightly --at 00:30',
}
const render = (more: Partial<Subject> = {}) => renderWorkflow({...subject, ...more}, '/repository')
const read = (more: Partial<Subject> = {}) => parse(render(more).text) as Workflow
const runsOf = ({jobs}: Workflow) => jobs.run.steps.flatMap(({run}) => run ?? [])

test('a job at a time of UTC, with what clocks show then', () => {
  const {name, text} = render()

  expect(name).toBe('vendorctl-nightly.yml')
  expect(text).toContain('\n# Every day at 23:30 UTC: 00:30 in Europe/Berlin, and 01:30 in summer time.\n')
  expect(read().on.schedule).toEqual([{cron: '30 23 * * *'}])
  expect(runsOf(read())).toEqual([
    'npm install -g --ignore-scripts vendorctl@0.1.0',
    'vendorctl jobs run nightly --jobs-file ops/jobs.yaml',
  ])
})

test('secrets are those of the repository, and nobody but the step of the job gets them', () => {
  const {jobs, permissions} = read({variables: ['PING_URL', 'VENDORCTL_API_KEY']})
  const [step, ...others] = jobs.run.steps.filter(({env}) => env)

  expect(permissions).toEqual({contents: 'read'})
  expect(jobs.run.env).toEqual({
    VENDORCTL_BASE_URL: `\${{ vars.VENDORCTL_BASE_URL }}`,
    VENDORCTL_STAGE: `\${{ vars.VENDORCTL_STAGE }}`,
    VENDORCTL_USERNAME: `\${{ vars.VENDORCTL_USERNAME }}`,
  })
  expect(others).toEqual([])
  expect(step?.run).toBe('vendorctl jobs run nightly --jobs-file ops/jobs.yaml')
  expect(step?.env).toEqual({
    VENDORCTL_API_KEY: `\${{ secrets.VENDORCTL_API_KEY }}`,
    VENDORCTL_PASSWORD: `\${{ secrets.VENDORCTL_PASSWORD }}`,
    PING_URL: `\${{ secrets.PING_URL }}`,
  })
})

test('marks and an interrupted file are kept for the next night, tokens are not; also after a failure', () => {
  const {steps} = read({output: `\${HOME}/out/tx-{date}.csv`}).jobs.run
  const [restore, save, upload] = ['cache/restore', 'cache/save', 'upload-artifact'].map((action) =>
    steps.find(({uses}) => uses?.startsWith(`actions/${action}@`)),
  )
  const state = ['exports.db*', 'exports', 'ledgers'].map((name) => `~/.local/state/vendorctl/${name}\n`).join('')

  expect(restore?.with?.['path']).toBe(`${state}~/out/tx-*.csv*.part\n`)
  expect(restore?.with?.['key']).toContain(restore?.with?.['restore-keys'])
  expect(save).toMatchObject({if: 'always()', with: {path: restore?.with?.['path'], key: restore?.with?.['key']}})
  expect(upload).toMatchObject({if: 'always()', with: {path: '~/out/tx-*.csv\n~/out/tx-*.csv.manifest.json\n'}})
})

test.each([
  ['out/sub/tx-{date}.csv', ['mkdir -p out/sub']],
  [`\${HOME}/my out/tx-{date}.csv`, ['mkdir -p "$HOME"/\'my out\'']],
  [`\${HOME}/tx-{date}.csv`, []],
  ['a b/{name}/tx.csv', ["mkdir -p 'a b'"]],
  ['tx.csv', []],
  [`\${HOME}/tx.csv`, []],
])('the folder of %s is made', (output, made) => {
  expect(runsOf(read({output})).filter((run) => run.startsWith('mkdir'))).toEqual(made)
})

test('actions are pinned by commit, to the same ones as those of this repository', () => {
  const folder = new URL('../../../.github/workflows/', import.meta.url)
  const ours = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const used = ours.flatMap((text) => text.match(/actions\/[\w/-]+@[\da-f]{40} # v[\d.]+/g) ?? [])
  const pins = Object.values(actions)
  const nameOf = (pin: string) => pin.replace(/@.*/, '')

  expect(
    read()
      .jobs.run.steps.flatMap(({uses}) => uses ?? [])
      .filter((uses) => !/@[\da-f]{40}$/.test(uses)),
  ).toEqual([])
  expect(used.filter((each) => pins.some((pin) => nameOf(pin) === nameOf(each) && pin !== each))).toEqual([])
})

test('the profile of a job is made there, and a path is no expression of GitHub', () => {
  const runs = runsOf(read({profile: 'production', jobsFile: `/repository/it's \${{ secrets.A }}.yaml`}))

  expect(runs).toContain('vendorctl profiles set production "baseUrl=$VENDORCTL_BASE_URL"')
  expect(runs.at(-1)).toBe(`vendorctl jobs run nightly --jobs-file 'it'\\''s \${{ '\${{' }} secrets.A }}.yaml'`)
})
