/**
 * node test/compat/make.js [PROGRAM]: records under its version what the built program in the folder PROGRAM leaves in its
 * folders, for `upgrade.test.ts`, and of this one, without PROGRAM, also what it promises, for `surface.test.ts`.
 * `npm run bump` runs it.
 */
import {spawn} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {registerHooks} from 'node:module'
import {join, resolve} from 'node:path'
import {brotliCompressSync, constants} from 'node:zlib'

const isSource = ({parentURL = ''}) => parentURL.includes('/test/compat/')
/** Sources import each other by the names of built files. */
registerHooks({
  resolve: (name, context, next) =>
    next(name.startsWith('.') && isSource(context) ? name.replace(/\.js$/, '.ts') : name, context),
})

const {printSurface} = await import('./breaks.js')
const {makeState, takeFolder} = await import('./state.js')
const {readSurface} = await import('./surface.js')
const {startVendor} = await import('./vendor.js')

/** @type {Parameters<typeof readSurface>[1]} */
const start = (words, {environment, cwd}) =>
  new Promise((done, fail) => {
    const env = {PATH: process.env['PATH'], ...environment}
    const child = spawn(process.execPath, [join(root, 'bin/run.js'), ...words], {cwd, env, detached: true})
    const ran = {stdout: '', stderr: ''}
    child.stdin.end()
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (ran[name] += text))
    child.once('error', fail).once('close', (exitCode) => done({exitCode, ...ran}))
  })

const here = resolve(import.meta.dirname, '../..')
const root = resolve(process.argv[2] ?? here)
const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const load = async (path) => await import(join(here, 'build', path))
const parts = {...(await load('core/clock.js')), ...(await load('sandbox/server.js'))}
const at = Date.now()
const {release} = takeFolder()
const vendor = await startVendor(parts, at)
const state = await makeState(root, vendor, at).finally(() => vendor.close())
release()
const kept = join(import.meta.dirname, version)
mkdirSync(kept, {recursive: true})
write('state.json.br', JSON.stringify(state))
if (root === here) await writeSurface()

/** Only the newest is compared with, so that older ones are not kept. */
async function writeSurface() {
  const surface = printSurface(await readSurface(root, start))
  const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name))
  for (const each of versions) rmSync(join(import.meta.dirname, each, 'surface.txt.br'), {force: true})
  write('surface.txt.br', surface)
}

/** @param {string} name @param {string} text */
function write(name, text) {
  writeFileSync(join(kept, name), brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_LGWIN]: 24}}))
}
