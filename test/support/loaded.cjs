/** Says at the end which files of the program and which dear modules of Node were loaded: one line on standard error. */
process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => /[\\/]dist[\\/]/.test(file))
  const names = files.map((file) => file.split(/[\\/]/).at(-1).replace('.cjs', ''))
  const builtins = process.moduleLoadList.flatMap((name) => name.match(/^NativeModule (?!internal)(.*)/)?.[1] ?? [])
  process.stderr.write(`\nloaded ${JSON.stringify({names, builtins})}\n`)
})
