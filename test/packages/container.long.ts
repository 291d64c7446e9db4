import {execFileSync} from 'node:child_process'
import {chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {makeFolder} from '../support/folder.js'
import {packTarball, root} from '../support/tarball.js'
import {runInRoot} from './in-root.js'
import {debian} from './set-up.js'

type Line = readonly [word: string, rest: string]

const guide = readFileSync(join(root, 'src/cli/help/guides/ci.md'), 'utf8')
const [, text = ''] = /^```dockerfile\n(.*?)^```/ms.exec(guide) ?? []
const lines: Line[] = text
  .replaceAll(/\\\n\s*/g, '')
  .trim()
  .split('\n')
  .map((line) => /^(\w+) (.*)$/.exec(line)?.slice(1) as unknown as Line)
const of = (word: string) => lines.filter(([first]) => first === word).map(([, rest]) => rest)
const variables = of('ENV').join(' ')
const [user = ''] = of('USER')
const [entry = ''] = of('ENTRYPOINT').map((rest) => (JSON.parse(rest) as string[]).join(' '))

const image = makeFolder(afterAll)

/** The base image as far as it matters: Debian with Node and npm, from the packages of this checkout. */
beforeAll(() => {
  execFileSync('cp', ['-a', `${debian}/.`, image])
  const local = join(image, 'usr/local')
  cpSync(join(root, 'node_modules/node/bin/node'), join(local, 'bin/node'))
  chmodSync(join(local, 'bin/node'), 0o755)
  const npm = realpathSync(execFileSync('which', ['npm'], {encoding: 'utf8'}).trim())
  cpSync(dirname(dirname(npm)), join(local, 'lib/node_modules/npm'), {recursive: true})
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const packed = packTarball()
  cpSync(packed.tarball, join(image, 'tmp/vendorctl.tgz'))
  packed.remove()
})

afterAll(() => rmSync(image, {recursive: true, force: true}))

test('the steps of the Dockerfile are those that are tried here', () => {
  expect(lines.map(([word]) => word)).toEqual('FROM COPY RUN USER ENV ENV VOLUME WORKDIR ENTRYPOINT'.split(' '))
  expect(of('COPY')).toEqual(['vendorctl-*.tgz /tmp/vendorctl.tgz'])
  expect(of('VOLUME').concat(of('WORKDIR'))).toEqual(['/state', '/data'])
  expect(Number(user)).toBeGreaterThan(999)
})

test('its program works with a root that nobody can write to, as a user without a name', () => {
  for (const step of of('RUN')) runInRoot(image, step)
  mkdirSync(join(image, 'data'), {mode: 0o777})
  chmodSync(join(image, 'data'), 0o777)
  const mounts = `for each in state data; do mount --bind '${image}/'$each '${image}/'$each; done
    mount --bind '${image}' '${image}/mnt'; mount -o remount,bind,ro '${image}/mnt'
    for each in state data; do mount --bind '${image}/'$each '${image}/mnt/'$each; done
    cd '${image}/mnt'; `
  const shown = runInRoot(
    `${image}/mnt`,
    `cd /data; export HOME=/ ${variables}
    ! touch /tmp/written 2>/dev/null
    ${entry} sandbox start --detach
    ${entry} machines list -p sandbox --columns id,name -o csv --limit 1
    ${entry} sites list -p sandbox --output-file sites.csv
    ${entry} sandbox stop`,
    {mounts, user},
  )

  expect(shown).toMatch(/^id,name\n5001,/m)
  expect(readdirSync(join(image, 'data'))).toContain('sites.csv')
  expect(readdirSync(join(image, 'state')).sort()).toEqual(['cache', 'config', 'vendorctl'])
})
