import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {facts} from '../cli/help/facts.js'
import {test} from '../support/binary.js'
import {findProgram} from './find-programs.js'
import {startSshServer} from './ssh-server.js'

const guide = facts.guides['exporting'] ?? ''
const night = ['reports', 'transactions', '--since-last', 'n', '--start', '-3d', '-v', '--output-file']

/** What stands in the guide between two texts. */
function findInGuide(start: string, end: string): string {
  const from = guide.indexOf(start) + start.length
  expect(guide.indexOf(start)).toBeGreaterThan(0)
  return guide.slice(from, guide.indexOf(end, from))
}

describe('rclone', () => {
  const recipe = findInGuide('```text\nrclone ', '\n')

  test('copies to a remote, and what it could not copy the next night', async ({home, start}) => {
    const {run} = await start({batches: 40})
    const [box, config] = [join(home.path, 'box'), join(home.path, 'rclone.conf')]
    const environment = {RCLONE_CONFIG: config, RCLONE_RETRIES: '1'}
    const words = (name: string) => [...night, join(home.path, name), '--deliver', `${findProgram('rclone')} ${recipe}`]
    writeFileSync(config, '')

    const failed = await run(words('a.csv'), {environment})
    writeFileSync(config, `[remote]\ntype = alias\nremote = ${box}\n`)
    const next = await run(words('b.csv'), {environment})

    expect([failed.exitCode, next.exitCode]).toEqual([75, 0])
    expect(failed.stderr).toContain("didn't find section in config file")
    expect(readdirSync(join(box, 'bucket', 'night')).toSorted()).toEqual(['a.csv', 'b.csv'])
    expect(readFileSync(join(box, 'bucket', 'night', 'a.csv'))).toEqual(readFileSync(join(home.path, 'a.csv')))
  })
})

describe('sftp', () => {
  const script = findInGuide('`deliver.sh`\n\n```text\n', '```')

  test('uploads, renames and compares the size', async ({home, start, onTestFinished}) => {
    const {run} = await start({batches: 40})
    const folder = join(home.path, 'server')
    mkdirSync(join(folder, 'in'), {recursive: true})
    const {config, child} = await startSshServer(folder)
    onTestFinished(() => void child.kill())
    const path = join(home.path, 'deliver.sh')
    const write = (text: string) => writeFileSync(path, text)
    const words = (name: string) => [...night, join(home.path, name), '--deliver', `sh ${path} {file} {name}`]
    const own = script.replace('reports@files.example.com', `-F "${config}" files`)

    write(own.replace('size=$(', 'size=1$('))
    const other = await run(words('a night.csv'))
    write(own)
    const next = await run(words('b.csv'))
    const arrived = readdirSync(join(folder, 'in')).toSorted()

    expect([other.exitCode, next.exitCode], next.stderr).toEqual([75, 0])
    expect(arrived).toEqual(['a night.csv', 'b.csv'])
    expect(readFileSync(join(folder, 'in', 'a night.csv'))).toEqual(readFileSync(join(home.path, 'a night.csv')))
  })
})
