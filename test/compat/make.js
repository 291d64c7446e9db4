/**
 * node test/compat/make.js [PROGRAM]: records under its version what the built program in the folder PROGRAM (this one
 * unless given) promises, for `surface.test.ts`, and leaves in its folders, for `upgrade.test.ts`. `npm run bump` runs it.
 */
import {spawn} from 'node:child_process'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {registerHooks} from 'node:module'
import {join, resolve} from 'node:path'
import {gzipSync} from 'node:zlib'

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

const here = join(import.meta.dirname, '../..')
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
writeFileSync(join(kept, 'state.json.gz'), gzipSync(JSON.stringify(state), {level: 9}))
writeFileSync(join(kept, 'surface.txt.gz'), gzipSync(printSurface(await readSurface(root, start)), {level: 9}))
