import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {rolldown} from 'rolldown'
import configurations from './rolldown.config.js'

// Bundles as `rolldown -c` does, without listing more than a hundred files. Warnings and failures are shown in full.
for (const {output, ...input} of configurations) {
  const build = await rolldown(input)
  for (const each of [output].flat()) await build.write(each)
  await build.close()
}

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const sizes = readdirSync(dist, {recursive: true})
  .map((name) => statSync(join(dist, name)))
  .flatMap((found) => (found.isFile() ? [found.size] : []))
const bytes = sizes.reduce((sum, size) => sum + size, 0)
process.stdout.write(`dist: ${sizes.length} files, ${(bytes / 1e6).toFixed(1)} MB\n`)
