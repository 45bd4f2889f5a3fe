ALTER TABLE "person_groups" DROP CONSTRAINT "person_groups_membership";
--> statement-breakpoint
ALTER TABLE "person_groups" ADD CONSTRAINT "person_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;