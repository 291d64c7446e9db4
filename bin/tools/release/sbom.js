// Builds, and prints the bill of materials of what was built.

import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'

const words = [process.env.npm_execpath, 'run', '--silent', 'build']
const {status} = spawnSync(process.execPath, words, {stdio: ['ignore', process.stderr, process.stderr]})
if (status === 0) process.stdout.write(readFileSync('dist/sbom.cdx.json'))
else process.exitCode = 1
