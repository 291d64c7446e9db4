#!/usr/bin/env node
// Written so that every Node can read it: an old one gets a sentence and not a syntax error.
var fs = require('fs')
var path = require('path')

var oldest = [22, 20]
var parts = process.versions.node.split('.')
var major = Number(parts[0])
var minor = Number(parts[1])

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  require('./start.js')()
} else {
  useLocalNode()
}

/** In a checkout the right Node is installed; elsewhere one sentence says what is needed. */
function useLocalNode() {
  var local = path.join(__dirname, '..', 'node_modules', 'node', 'bin', 'node')
  if (!fs.existsSync(local)) {
    process.stderr.write('vendorctl needs Node ' + oldest.join('.') + ' or newer; this is ' + process.version + '.\n')
    process.exit(1)
  }
  var child = require('child_process').spawn(local, [__filename].concat(process.argv.slice(2)), {stdio: 'inherit'})
  // A terminal sends Ctrl-C to both processes; what comes to this one alone is handed on.
  process.on('SIGINT', function () {})
  process.on('SIGTERM', function () {
    child.kill('SIGTERM')
  })
  process.on('SIGHUP', function () {
    child.kill('SIGHUP')
  })
  child.on('exit', function (code, signal) {
    process.exit(code === null ? 128 + (signal === 'SIGKILL' ? 9 : 15) : code)
  })
}
