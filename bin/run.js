#!/usr/bin/env node
// In a syntax that every Node can read, so that an old one prints a message instead of a syntax error.
var fs = require('fs')
var os = require('os')
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

/** Runs the Node that a checkout has installed; elsewhere prints which Node is needed. */
function useLocalNode() {
  var name = process.platform === 'win32' ? 'node.exe' : 'node'
  var local = path.join(__dirname, '..', 'node_modules', 'node', 'bin', name)
  if (!fs.existsSync(local)) return refuse('')
  try {
    runIn(local)
  } catch (error) {
    cannotStart(local, error)
  }
}

function runIn(local) {
  var child = require('child_process').spawn(local, [__filename].concat(process.argv.slice(2)), {stdio: 'inherit'})
  // A terminal sends Ctrl-C to both processes; other signals are passed on.
  process.on('SIGINT', function () {})
  process.on('SIGTERM', function () {
    child.kill('SIGTERM')
  })
  process.on('SIGHUP', function () {
    child.kill('SIGHUP')
  })
  child.on('error', function (error) {
    cannotStart(local, error)
  })
  child.on('exit', function (code, signal) {
    process.exit(code === null ? 128 + numberOf(signal) : code)
  })
}

function cannotStart(local, error) {
  refuse(', and ' + local + ' cannot be started (' + error.code + ')')
}

function refuse(more) {
  var needed = 'vendorctl needs Node ' + oldest.join('.') + ' or newer; this is ' + process.version
  process.stderr.write(needed + more + '.\n')
  process.exit(1)
}

function numberOf(signal) {
  return (os.constants && os.constants.signals ? os.constants.signals : require('constants'))[signal]
}
