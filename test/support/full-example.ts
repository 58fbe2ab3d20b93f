/** A configuration that sets everything to something other than its default; tests keep it complete. */
export const FULL_EXAMPLE = `
project: { name: shop, github_repo: acme/shop }
agent:
  provider: command
  command: ./agent.sh
  script: agents/demo.yaml
  env: [MY_TOKEN]
  fallback: [scripted]
  trust_repo_settings: true
  first_event_seconds: 60
  idle_seconds: 600
  timeout_seconds: 900
  rate_limit_backoff_ms: 30000
  max_rate_limit_retries: 9
  max_review_passes: 3
environment:
  install: poetry install
  init: ./init.sh
  reset: ./reset.sh
  health_check: curl -sf http://localhost:9000/up
  stop: docker compose down
  env: [DATABASE_URL]
  accept_unfilled: [assets/*.psd]
  timeout_seconds: 120
testing:
  runner: pytest
  full: poetry run pytest checks
  feature: poetry run pytest {file}
  env: [FEATURE_FLAGS]
  report: out/junit.xml
  timeout_seconds: 300
  reruns: 3
  sanity:
    health: curl -sf http://localhost:9000/up
    lint: poetry run ruff check app
    type_check: poetry run mypy app
    build: poetry build
  unit: poetry run pytest checks/unit
  e2e: poetry run pytest checks/e2e
verification:
  require_evidence: false
  harness_verify: true
  max_features_per_session: 1
  feedback_rounds: 1
  review: always
  held_out: /srv/held-out
  regression_check: true
  protected: ["scripts/**"]
  tests: approved
  test_aware: warn
  gates:
    secrets: ask
    hidden_text: warn
    conflict_markers: ask
    colliding_paths: warn
    program_bits: off
    leftovers: warn
    steering: reject
    syntax: ask
    imports: warn
    dependencies: ask
    entries: ask
    exports: reject
    build: ask
    mentions: reject
    untested: off
  mutants: 4
  mutation_seconds: 30
  regression_seconds: 90
  regression_interval: 3
quality:
  lint_command: poetry run ruff check .
  max_file_lines: 300
  cleanup_interval: 5
  warn_on_lint_errors: false
  lint_blocks: true
  type_check_blocks: false
  size_blocks: true
features: { max_verification_steps: 5, max_stuck_sessions: 2, require_test_file: false }
costs:
  per_session_usd: 2.5
  per_feature_usd: 8
  total_project_usd: 90
  ceiling_tokens: 5000000
  prices: { my-model: { input_per_million: 1, output_per_million: 2, cached_per_million: 0.5 } }
models:
  default: { provider: claude, model: large, effort: low }
  initializer: { provider: scripted, model: huge, effort: max }
  coding: { provider: claude, model: large-2, effort: high }
  continuation: { provider: claude, model: large-3, effort: medium }
  cleanup: { provider: claude, model: small, effort: low }
  review: { provider: codex, model: sharp, effort: xhigh }
  test_author: { provider: codex, model: exact, effort: high }
  planner: { provider: claude, model: wise, effort: max }
  summariser: { provider: codex, model: brief, effort: low }
  architect: { provider: codex, model: deep, effort: high }
  designer: { provider: codex, model: deep, effort: high }
git: { base_branch: trunk, land: branch, remote: upstream, history: linear, queue: { batch: 5, company: 2, wait_seconds: 30 } }
session:
  timeout_minutes: 30
  timeout_warning_minutes: 25
  on_timeout: { auto_commit: false, message_prefix: "out of time: " }
session_config:
  { concurrency_mode: concurrent, workers: 3, max_tasks_per_session: 7, max_sessions: 99, all_done: maintain, health_minutes: 5 }
context:
  warn_threshold: 0.5
  force_threshold: 0.8
  window_tokens: 100000
  on_limit: { auto_commit: false, commit_message_prefix: "full: ", append_to_progress: false }
progress:
  check_interval_tokens: 20000
  stuck_warning: Try something else.
  force_stop_after_stuck_checks: 3
  max_repeated_errors: 4
attempts: { max_attempts: 2, max_interruptions: 10 }
escalation: { on_rejected: ask, on_large: go-on }
convergence: { max_qa_cycles: 2, max_rework_tasks: 4, max_iterations: 25, stale_rounds: 3 }
lease: { ttl_seconds: 30, heartbeat_seconds: 5 }
checkpoints: { per_task: 3, max_age_days: 14 }
preflight:
  checks:
    working_directory: false
    harness_files: false
    git_state: false
    environment: false
    baseline_tests: false
    lint: stop
    budget: false
  on_failure: { auto_reset: false, max_reset_attempts: 1 }
tools:
  filesystem: { enabled: true, allowed_paths: [app], denied_paths: [secrets/] }
  shell: { enabled: true, timeout_seconds: 60, denied_commands: [shutdown] }
  visual_verification:
    mode: required
    pages: [/, /login]
    viewports: [{ width: 390, height: 844 }]
    ready_seconds: 30
  mcp_servers:
    postgres:
      enabled: false
      command: npx
      args: ["-y", postgres-mcp]
      config: { connection_string: "\${DATABASE_URL}", read_only: true }
sandbox:
  mode: required
  network: "off"
  test_network: "off"
  setup_network: "on"
  setup_readable: [~/.npmrc]
  services: [/var/run/docker.sock]
  writable: [~/.cache/go-build]
  readable: [~/.aws]
  hidden: [secrets]
github:
  sync_mode: none
  sync_on_session_end: false
  create_missing_issues: false
  close_on_verify: false
  on_sync_failure: fail
logging:
  level: debug
  sampling: 0.5
  retention_days: 30
  max_file_mb: 5
  structured_agent_output: false
  require_prefixes: true
  fallback_tracking: false
  warn_on_missing_prefixes: false
paths: { features: backlog/features.json, progress: notes.txt, state_dir: .state, prompts: agents }
store: { url: "postgres://harness@db.example/harness", project: shop }
compatibility: { on_older_state: abort, on_newer_state: warn, backup_before_migrate: false }
plan: { dir: plans, completed_dir: plans/done, context_dir: context, app_paths: [app, web] }
e2e: { command: npx playwright test, artifact_dirs: [playwright-report] }
dev_server: { url: "http://localhost:3000", command: npm run dev }
fidelity: { every_n_plans: 5, spec_path: docs/spec.md, threshold: 0.2 }
release_gate: { spec_path: docs/spec.md }
`;
