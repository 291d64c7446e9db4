import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parse} from 'parse5'
import {describe, expect} from 'vitest'
import {requestsOf, secretsOf, test, writeLines} from '../support/binary.js'

const preload = fileURLToPath(new URL('../support/full-disk.js', import.meta.url))
const rows = ['id,maxChargePrice', '1001,777', '1002,778', '1003,779']

describe.concurrent('the page of a run', () => {
  test('is written by the write and by what resumes it, for its owner only, and shown later', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-after-commit@sites.update#2']})
    const file = writeLines(home, '<b>sites.csv', ...rows)
    const page = (name: string) => readFileSync(join(home.path, name), 'utf8')

    const write = ['sites', 'update', '-f', file, '--set-size', '1', '--yes']
    const dry = await run([...write, '--dry-run', '--run-page', 'dry.md'])
    const ran = await run([...write, '--run-page', 'run.html'])
    const resumed = await run(['runs', 'resume', '--yes', '--run-page', 'run.md'])
    const shown = await run(['runs', 'show', 'latest', '-o', 'html'])
    const undone = await run(['runs', 'undo', 'latest', '--yes', '--run-page', 'undo.html'])

    expect([dry, ran, resumed, shown, undone].map(({exitCode}) => exitCode)).toEqual([0, 7, 0, 0, 0])
    expect(statSync(join(home.path, 'run.html')).mode & 0o777).toBe(0o600)
    expect(page('dry.md')).toMatch(/a dry run, nothing was sent.*<code>777<\/code>/s)
    const {childNodes} = parse(page('run.html'))
    expect(childNodes).toHaveLength(2)
    expect(page('run.html')).toContain("default-src 'none'; style-src 'sha256-")
    expect(page('run.html')).toMatch(/1 of 3 rows applied.*runs reconcile.*ECONNRESET/s)
    expect(page('run.html')).toContain('&lt;b&gt;sites.csv')
    expect(page('run.md')).toMatch(/\| 3 \| 3 \| 0 \| 0 \| 0 \| 0 \| 0 \|.*1003.*779.*resumed by/s)
    expect(shown.stdout).toContain('3 of 3 rows applied')
    expect(page('undo.html')).toMatch(/runs undo: 3 of 3 rows applied/)
    for (const secret of secretsOf(sandbox)) expect(page('run.html') + shown.stdout).not.toContain(secret)
  })

  test('that cannot be written stops the write before it; a full disk hides no row', async ({run, sandbox, home}) => {
    const file = writeLines(home, 'sites.csv', ...rows)
    const write = ['sites', 'update', '-f', file, '--yes', '--run-page']

    const refused = await Promise.all([file, 'none/run.html', 'run.txt'].map((path) => run([...write, path])))

    expect(refused.map(({exitCode}) => exitCode)).toEqual([2, 12, 2])
    expect(requestsOf(sandbox)['sites.update']).toBeUndefined()

    const environment = {NODE_OPTIONS: `--import=${preload}`, FULL_FILE: 'run.html'}
    const full = await run([...write, 'run.html'], {environment})

    expect(full.exitCode).toBe(12)
    expect(full.stderr).toContain('applied 3')
    expect(full.stderr).toMatch(/error: .*run\.html/s)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
    expect(existsSync(join(home.path, 'run.html'))).toBe(false)
  })
})
