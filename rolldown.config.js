import {globSync} from 'node:fs'
import {relative} from 'node:path'

/** Each command and hook keeps its path, as oclif finds them by it; what they share goes into few files. */
const files = ['build/cli/main.js', 'build/cli/help-class.js', ...globSync('build/commands/**/*.js'), ...globSync('build/cli/hooks/*.js')]

export default {
  input: Object.fromEntries(files.map((file) => [relative('build', file).slice(0, -'.js'.length), file])),
  platform: 'node',
  checks: {ineffectiveDynamicImport: false},
  /** Loaded only when asked for, and by their own rules. */
  external: [/^node:/, 'fastify', /^hyparquet/, /^@oclif\/plugin-/],
  output: {dir: 'dist', format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js'},
}
