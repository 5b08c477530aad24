// Code generated from programs/migration.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var migrationModels = []Model{
	{Names: "prisma", Opts: "--schema=_ --name=_ --force,-f --force-reset --accept-data-loss --stdin --file=_ --url=_", Do: doPrisma},
	{Names: "rails rake gitlab-rails", Opts: "-e,--environment=_ -f=_", Do: doRails},
	{Names: "mix", Opts: "-r,--repo=_ -n,--step=_ --to=_ -e=_", Style: Strict, Do: doMix},
	{Names: "artisan", Opts: "--env=_ --database=_ --path=_ --step=_ --force --pretend+inert", Do: doArtisan},
	{Names: "manage.py django-admin django-admin.py", Opts: "--settings=_ --database=_ --noinput,--no-input --plan+inert -c=_", Do: doDjango},
	{Names: "console symfony doctrine doctrine-migrations", Opts: "--env,-e=_ --connection=_ --force --full-database --dump-sql+inert --dry-run+inert", Do: doMigrator},
	{Names: "alembic flask-db aerich piccolo yoyo sequelize sequelize-cli knex typeorm typeorm-ts-node-commonjs drizzle-kit mikro-orm flyway liquibase dbmate hasura diesel sqlx sea-orm-cli migrate golang-migrate atlasgo sql-migrate tern soda buffalo pop db-migrate node-pg-migrate umzug phinx sqitch graphile-migrate kysely objection dbdeploy skeema pgroll refinery bytebase squawk ormolu convex strapi directus medusa payload keystone wp drush", Opts: "--env,-e=_ --config=_ --url,-u=_ --database-url,-D=_ --schema=_ --database=_ -c=_ -d=_ --name=_ --path=_ --source=_ -y -f,--force --sql,--pretend,--dry-run,--dry_run,--show+inert --configFiles=_ --password=_ --user=_ --changelog-file=_", Do: doMigrator},
}
