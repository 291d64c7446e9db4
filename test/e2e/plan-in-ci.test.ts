import {execFile, execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'vitest'
import {parse} from 'yaml'
import {facts} from '../cli/help/facts.js'
import {requestsOf, test} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'
import {findBlocks, findFiles} from '../support/readme.js'

type Variables = Record<string, string>
type Workflow = {env: Variables; jobs: Record<string, {env?: Variables; steps: {run?: string}[]}>}

const guide = facts.guides['ci'] ?? ''
const [, chapter = ''] = guide.split('\n## Plan, approve, apply\n')
const {env, jobs} = parse(findBlocks(chapter, 'yaml')[0] ?? '') as Workflow
const [review = ''] = findBlocks(chapter, 'text')
const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const author = {GIT_AUTHOR_NAME: 'g', GIT_AUTHOR_EMAIL: 'g@e', GIT_COMMITTER_NAME: 'g', GIT_COMMITTER_EMAIL: 'g@e'}

test('a plan of one job is approved in a pull request, and sent by the next job', async ({sandbox, home}) => {
  const {apiKey, username, password} = sandbox
  const secrets = {VENDORCTL_API_KEY: apiKey, VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password}
  const at = (...names: string[]) => join(home.path, ...names)
  const git = (...words: string[]) => execFileSync('git', words, {cwd: home.path, env: {...process.env, ...author}})
  mkdirSync(at('bin'))
  const path = `${at('bin')}:${process.env['PATH']}`
  const onPath = (name: string, line: string) => writeFileSync(at('bin', name), `#!/bin/sh\n${line}\n`, {mode: 0o755})
  onPath('vendorctl', `exec "${process.execPath}" "${program}" "$@"`)
  onPath('gh', `cp "${at('artifact.json')}" plan.json`)

  /** A machine that is new, with a checkout of what was pushed. */
  const machine = (name: string) => {
    git('clone', '--quiet', 'origin', at(name, 'repo'))
    return {HOME: at(name), ...author}
  }
  const runJob = async (name: string, on: string) => {
    const {env: own = {}, steps = []} = jobs[name] ?? {}
    const given = {...machine(on), ...env, ...own, ...secrets, VENDORCTL_BASE_URL: sandbox.url, PATH: path}
    const signers = {APPROVERS: readFileSync(at('approvers'), 'utf8'), VENDORCTL_APPROVERS: at(on, 'approvers')}
    const lines = steps.map(({run}) => run).filter((run) => run !== undefined && !run.startsWith('npm '))
    return runShell(lines.join('\n'), at(on, 'repo'), {...given, ...('VENDORCTL_APPROVERS' in own ? signers : {})})
  }
  const approveAs = async (name: string) => {
    const own = machine(name)
    mkdirSync(at(name, '.ssh'))
    for (const end of ['', '.pub']) copyFileSync(at(`${name}.key${end}`), at(name, '.ssh', `id_ed25519${end}`))
    const block = review.replace(env['VENDORCTL_BASE_URL'] ?? '', sandbox.url)
    writeFileSync(at(name, 'review.sh'), `set -e\nPATH="${path}"\ncd repo\n${block}`)
    return onTerminal('sh review.sh', own, ['2\r'])
  }
  for (const name of ['grace', 'mallory'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(`${name}.key`)])
  writeFileSync(at('approvers'), `grace@example.com ${readFileSync(at('grace.key.pub'), 'utf8')}`)
  git('init', '--quiet', '--bare', '--initial-branch=main', 'origin')
  git('clone', '--quiet', 'origin', 'first')
  for (const {name, text} of findFiles(chapter)) writeFileSync(at('first', name), text)
  git('-C', 'first', 'add', '.')
  git('-C', 'first', 'commit', '--quiet', '-m', 'prices')
  git('-C', 'first', 'push', '--quiet', 'origin', 'HEAD:main')

  const planned = await runJob('plan', 'one')
  copyFileSync(at('one', 'repo', 'plan.json'), at('artifact.json'))
  const stranger = await approveAs('mallory')
  const refused = await runJob('apply', 'two')
  const reviewer = await approveAs('grace')
  const sent = await runJob('apply', 'three')
  const again = await runJob('apply', 'four')

  expect(planned, planned.stderr).toMatchObject({status: 0})
  expect([stranger.exitCode, reviewer.exitCode], reviewer.screen).toEqual([0, 0])
  expect(refused).toMatchObject({status: 14, stderr: expect.stringContaining('it is signed by nobody of')})
  expect(sent, sent.stderr).toMatchObject({status: 0, stderr: expect.stringContaining('applied 2')})
  expect(again.status).toBe(0) // nothing is left to do
  expect(requestsOf(sandbox)['sites.update']).toBe(1)
})

/** Lines of sh, of which the first that fails ends the rest; the sandbox answers from this process meanwhile. */
function runShell(lines: string, cwd: string, given: Variables): Promise<{status: number; stderr: string}> {
  return new Promise((resolve) => {
    const child = execFile('sh', ['-ec', lines], {cwd, env: given}, (_error, _stdout, stderr) =>
      resolve({status: child.exitCode ?? -1, stderr}),
    )
  })
}
