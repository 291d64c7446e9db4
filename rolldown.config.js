import {globSync} from 'node:fs'
import {relative} from 'node:path'
import {dts} from 'rolldown-plugin-dts'
import {billOfMaterials, notices} from './test/release/third-party.js'

/** Each command and hook keeps its path, as oclif finds them by it; what they share goes into few files. */
const files = ['build/cli/main.js', 'build/cli/help-class.js', ...globSync('build/commands/**/*.js'), ...globSync('build/cli/hooks/*.js')]

const program = {
  input: Object.fromEntries(files.map((file) => [relative('build', file).slice(0, -'.js'.length), file])),
  platform: 'node',
  plugins: [notices, billOfMaterials],
  checks: {ineffectiveDynamicImport: false},
  /** Loaded only when asked for, and by their own rules. */
  external: [/^node:/, 'fastify', /^hyparquet/, /^@oclif\/plugin-/],
  output: {dir: 'dist', format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js'},
}

/** What other programs require: modules of its own, so that they load nothing of the program. */
const library = {
  input: {index: 'build/index.js'},
  platform: 'node',
  plugins: [{name: 'door', generateBundle: addDoor}],
  output: {dir: 'dist/library', format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs'},
}

/** Programs that import and programs that require get the same modules, so that an error is of one class. */
function addDoor(_options, {'index.cjs': {exports}}) {
  const source = `import library from './index.cjs'\nexport const {${exports.join(', ')}} = library\n`
  this.emitFile({type: 'asset', fileName: 'index.mjs', source})
  this.emitFile({type: 'asset', fileName: 'index.d.mts', source: "export * from './index.cjs'\n"})
}

/** Its types in one file, of the declarations that the compiler made. */
const types = {
  input: {index: 'build/index.d.ts'},
  plugins: [dts({dtsInput: true, emitDtsOnly: true})],
  output: {dir: 'dist/library', format: 'esm', entryFileNames: '[name].cts'},
}

export default [program, library, types]
