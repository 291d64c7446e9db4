/**
 * npm run build:standalone [-- --platform linux-arm64] [--check]: the built program and Node in one executable, in
 * dist-standalone, for machines without Node. --check runs the one for this platform.
 */
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {checkStandalone} from './check.js'
import {here, installNodeOf} from './node-of.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const dist = join(root, 'dist')
/** Compiled code has the order of hash tables in it, which is random otherwise. */
const sameEachTime = ['--random-seed=1']
const {values} = parseArgs({options: {platform: {type: 'string', default: here}, check: {type: 'boolean'}}})

try {
  const file = build(values.platform)
  if (values.check) checkStandalone(file)
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
}

function build(platform) {
  const target = installNodeOf(platform)
  const builder = installNodeOf(here)
  const folder = join(root, 'dist-standalone', platform)
  const work = mkdtempSync(join(tmpdir(), 'vendorctl-standalone-'))
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  const output = join(folder, platform.startsWith('win32') ? 'vendorctl.exe' : 'vendorctl')
  try {
    const config = join(work, 'config.json')
    const assets = assetsOf(work, platform === here ? builder.executable : undefined)
    writeFileSync(config, JSON.stringify(describe({assets, output, executable: target.executable, platform})))
    run(builder.executable, [...sameEachTime, '--build-sea', config])
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
  sign(output, platform)
  addNotices(folder, target.folder)
  printDigest(output)
  return output
}

function describe({assets, output, executable, platform}) {
  return {
    main: 'main.cjs', // its name is in the executable, without the folder where that was built
    output,
    executable,
    assets,
    disableExperimentalSEAWarning: true,
    // Code that another Node compiled could crash this one.
    useCodeCache: platform === here,
    // Options of the Node of a machine, such as NODE_OPTIONS, do not apply to this one.
    execArgvExtension: 'none',
  }
}

/** Every module of the program with its compiled code, which is empty for another platform. */
function assetsOf(work, node) {
  const files = ['program.cjs', ...readdirSync(join(dist, 'chunks')).map((name) => `chunks/${name}`)]
  if (node) run(node, [...sameEachTime, 'compile.cjs', dist, work, ...files])
  const nothing = join(work, 'nothing')
  writeFileSync(nothing, '')
  return Object.fromEntries(
    files.flatMap((file) => [
      [file, join(dist, file)],
      [`${file}.compiled`, node ? join(work, `${file}.compiled`) : nothing],
    ]),
  )
}

/** Signs an executable for macOS, which runs nothing unsigned; an ad-hoc signature is enough where it was made. */
function sign(file, platform) {
  if (!platform.startsWith('darwin')) return
  if (process.platform === 'darwin') run('codesign', ['--force', '--sign', '-', file])
  else process.stdout.write(`On a Mac, sign it before it is run: codesign --force --sign - vendorctl\n`)
}

/** Adds the licences of the program, of what is bundled, and of Node. */
function addNotices(folder, nodeFolder) {
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(dist, 'third-party-notices.txt'), join(folder, 'third-party-notices.txt'))
  if (existsSync(join(nodeFolder, 'LICENSE'))) copyFileSync(join(nodeFolder, 'LICENSE'), join(folder, 'LICENSE-node'))
}

function printDigest(file) {
  const bytes = readFileSync(file)
  const digest = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(`${file}.sha256`, `${digest}  ${file.slice(file.lastIndexOf('vendorctl'))}\n`)
  process.stdout.write(`${file}: ${(bytes.length / 1e6).toFixed(0)} MB\nsha256 ${digest}\n`)
}

function run(program, words) {
  const {status, stderr, error} = spawnSync(program, words, {cwd: import.meta.dirname, encoding: 'utf8'})
  if (status !== 0) throw new Error(`${program} ended with ${error?.code ?? status}: ${stderr}`)
}
