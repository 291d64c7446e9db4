/**
 * node test/compat/make.ts [PROGRAM]: records under its version what the built program in the folder PROGRAM (this one
 * unless given) promises, for `surface.test.ts`, and leaves in its folders, for `upgrade.test.ts`. `npm run bump` runs it.
 */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {gzipSync} from 'node:zlib'
import {printSurface} from './breaks.ts'
import {folder, makeState, takeFolder} from './state.ts'
import {readSurface} from './surface.ts'
import {startVendor} from './vendor.ts'

const here = join(import.meta.dirname, '../..')
const root = resolve(process.argv[2] ?? here)
const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string}
const load = async (path: string) => await import(join(here, 'build', path))
const parts = {...(await load('core/clock.js')), ...(await load('sandbox/server.js'))}
const at = Date.now()
const {release} = takeFolder()
const vendor = await startVendor(parts, {at, folder})
const state = await makeState(root, vendor, at).finally(() => vendor.close())
release()
const kept = join(import.meta.dirname, version)
mkdirSync(kept, {recursive: true})
writeFileSync(join(kept, 'state.json.gz'), gzipSync(JSON.stringify(state), {level: 9}))
writeFileSync(join(kept, 'surface.txt.gz'), gzipSync(printSurface(await readSurface(root)), {level: 9}))
